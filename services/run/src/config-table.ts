import { type ConfigDefinition, defaultOf } from '@order-automation/service';

/**
 * The table of variables for README.md, in order of appearance. A variable that several definitions share stands once.
 * Throws when two definitions describe one variable differently.
 */
export function configTable(definitions: readonly ConfigDefinition[]): string {
  const rows = new Map<string, string>();
  for (const field of definitions.flatMap((definition) => Object.values(definition))) {
    const row = `| \`${field.env}\` | ${defaultOf(field)} | ${cell(field.description)} | \`${cell(field.example)}\` |`;
    if ((rows.get(field.env) ?? row) !== row) throw new Error(`${field.env} is described in two ways`);
    rows.set(field.env, row);
  }
  return ['| variable | default | meaning | example |', '|---|---|---|---|', ...rows.values()].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

/** The text with what stands between the markers of this name (`<!-- config:start -->`) replaced. Throws when the markers are not there. */
export function withSection(text: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const from = text.indexOf(start);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`the markers ${start} and ${end} are missing`);
  return `${text.slice(0, from + start.length)}\n${content}\n${text.slice(to)}`;
}
