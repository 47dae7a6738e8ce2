import { plural } from '../shell/format';
import { to } from '../shell/router';

type Warning = { readonly message: string; readonly rule_ids?: readonly number[] };
type WarningsProps = { readonly title?: string; readonly of: readonly Warning[] };

const maxShown = 50;

/** Warnings with links to the rules that they are about; open where there are few. */
export function RuleWarnings({ title, of }: WarningsProps) {
  if (of.length === 0) return null;
  return (
    <details class="note warn" open={of.length <= 3}>
      <summary>{title ?? plural(of.length, 'warning')}</summary>
      <ul>
        {of.slice(0, maxShown).map(({ message, rule_ids = [] }) => (
          <li key={message} dir="auto">
            {message}{' '}
            {rule_ids.map((id) => (
              <a key={id} href={to(`/rules/${id}`)}>{`Rule ${id} `}</a>
            ))}
          </li>
        ))}
      </ul>
    </details>
  );
}
