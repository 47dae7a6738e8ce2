import { to } from '../shell/router';

type Warning = { readonly text: string; readonly rules: readonly number[] };

/** Warnings with links to the rules that they are about; open where there are few. */
export function RuleWarnings({ title, of }: { title: string; of: readonly Warning[] }) {
  if (of.length === 0) return null;
  return (
    <details class="note warn" open={of.length <= 3}>
      <summary>{title}</summary>
      <ul>
        {of.map(({ text, rules }) => (
          <li key={text} dir="auto">
            {text}{' '}
            {rules.map((id) => (
              <a key={id} href={to(`/rules/${id}`)}>{`Rule ${id} `}</a>
            ))}
          </li>
        ))}
      </ul>
    </details>
  );
}
