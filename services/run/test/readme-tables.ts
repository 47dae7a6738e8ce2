import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ConfigDefinition,
  commonConfiguration,
  defaultOf,
  distributedConfiguration,
} from '@order-automation/service';

/**
 * Every definition of variables: what all processes share, then what each service exports under a name that ends in `Configuration` from its
 * `config` file, in order of the services' names. Files are looked for in `folder` of each service: `dist` or `src`.
 */
export function configDefinitions(root: string, folder: 'dist' | 'src'): ConfigDefinition[] {
  const services = join(root, 'services');
  const files = readdirSync(services)
    .sort()
    .map((name) => join(services, name, folder, folder === 'dist' ? 'config.js' : 'config.ts'))
    .filter((file) => existsSync(file));
  const own = files.flatMap((file) =>
    Object.entries(require(file) as Record<string, unknown>)
      .filter(([name]) => name.endsWith('Configuration'))
      .map(([, definition]) => definition as ConfigDefinition),
  );
  return [commonConfiguration, distributedConfiguration, ...own];
}

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

type Route = { readonly method: string; readonly path: string; readonly tag: string };

/** Every route of the public port by subject, as a table; `folder` of the HTTP edge: `dist` or `src`. */
function routeTable(root: string, folder: 'dist' | 'src'): string {
  const { table } = require(join(root, 'services/api-gateway', folder, 'routes')) as { table: readonly Route[] };
  const subjects = new Map<string, Map<string, string[]>>();
  for (const { tag, path, method } of table) {
    const paths = subjects.get(tag) ?? new Map<string, string[]>();
    paths.set(path, [...(paths.get(path) ?? []), method]);
    subjects.set(tag, paths);
  }
  const rows = [...subjects].map(([subject, paths]) => {
    const cells = [...paths].map(([path, methods]) => `\`${methods.join(', ')} ${path}\``);
    return `| ${subject} | ${cells.join(', ')} |`;
  });
  return ['| subject | routes |', '|---|---|', ...rows].join('\n');
}

/** README.md as it should be, with the tables of all routes and of all variables (decisions.md section 10) between their markers. */
export function readmeWithTables(root: string, folder: 'dist' | 'src'): string {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const routed = withSection(readme, 'routes', routeTable(root, folder));
  return withSection(routed, 'config', configTable(configDefinitions(root, folder)));
}

if (require.main === module) {
  const root = join(__dirname, '../../..');
  writeFileSync(join(root, 'README.md'), readmeWithTables(root, 'dist'));
}
