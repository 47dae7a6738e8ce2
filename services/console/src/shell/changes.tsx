import { inWords, valueText } from './format';
import { Time } from './parts';
import { useStatusNames } from './status-names';

export type Change = { readonly field: string; readonly from?: unknown; readonly to?: unknown };

const shown = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? <Time at={value} /> : valueText(value);

export function Changes({ changes }: { changes: readonly Change[] }) {
  const names = useStatusNames();
  if (changes.length === 0) return null;
  const textOf = (field: string, value: unknown) => (field === 'status' && names[String(value)]) || shown(value);
  return (
    <ul class="plain">
      {changes.map(({ field, from, to: after }, index) => (
        <li key={`${index} ${field}`} dir="auto">
          <span class="soft">{inWords(field)}:</span>{' '}
          {from !== null && from !== undefined && <del>{textOf(field, from)}</del>} →{' '}
          <strong>{textOf(field, after)}</strong>
        </li>
      ))}
    </ul>
  );
}
