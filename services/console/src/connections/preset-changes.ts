import type { Change } from '../shell/changes';

type Settings = Readonly<Record<string, unknown>>;

/** What a row of these tables is. */
const rowsOf: Readonly<Record<string, string>> = { types: 'event', paths: 'field', decimals: 'decimals of' };
const isTable = (value: unknown): value is Settings => typeof value === 'object' && value !== null;

/** What would change if a connection got the settings of its preset; of tables each row. */
export function changesTo(settings: Settings, before: Settings): Change[] {
  return Object.entries(settings).flatMap(([field, to]) => {
    const from = before[field];
    if (!isTable(to)) return from === to ? [] : [{ field, from, to }];
    const [old, rows] = [isTable(from) ? from : {}, to];
    const names = [...new Set([...Object.keys(old), ...Object.keys(rows)])].filter((name) => old[name] !== rows[name]);
    return names.map((name) => ({ field: `${rowsOf[field] ?? field} ${name}`, from: old[name], to: rows[name] }));
  });
}
