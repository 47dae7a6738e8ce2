import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConfigDefinition } from '@order-automation/service';
import { commonConfiguration, distributedConfiguration } from '@order-automation/service';
import { configTable, withSection } from './config-table';

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
