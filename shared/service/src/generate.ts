import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commonConfiguration, distributedConfiguration } from './common-config';
import type { ConfigDefinition } from './config';
import { configTable, withConfigTable } from './config-table';

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

/** README.md as it should be, with the table of all variables (decisions.md section 10) between its markers. */
export function readmeWithTable(root: string, folder: 'dist' | 'src'): string {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  return withConfigTable(readme, configTable(configDefinitions(root, folder)));
}

if (require.main === module) {
  const root = join(__dirname, '../../..');
  writeFileSync(join(root, 'README.md'), readmeWithTable(root, 'dist'));
}
