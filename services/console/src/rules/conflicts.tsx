import { useLoad } from '../shell/load';
import { to } from '../shell/router';
import { api } from '../shell/session';

/** Conflicts among enabled rules, and warnings about each. */
export function Conflicts() {
  const conflicts = useLoad(() => api('GET /v1/rules/conflicts'), []);
  const warnings = conflicts.data?.warnings ?? [];
  if (warnings.length === 0) return null;
  return (
    <details class="note warn" open={warnings.length <= 3}>
      <summary>{warnings.length === 1 ? 'One thing needs a look' : `${warnings.length} things need a look`}</summary>
      <ul>
        {warnings.slice(0, 50).map(({ message, rule_ids }) => (
          <li key={message}>
            {message}{' '}
            {rule_ids.map((id) => (
              <a key={id} href={to(`/rules/${id}`)}>
                Rule {id}
              </a>
            ))}
          </li>
        ))}
      </ul>
    </details>
  );
}
