import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  commonConfiguration,
  defineConfig,
  distributedConfiguration,
  examplesOf,
  flag,
  misspeltVariables,
} from '@order-automation/service';
import { z } from 'zod';
import { configDefinitions, configTable, readmeWithTables, withSection } from '../test/readme-tables';

const root = join(__dirname, '../../..');

test('the tables of routes and variables in README.md are those of the code: `npm run generate` writes it', () => {
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toBe(readmeWithTables(root, 'src'));
});

test('every variable that operators rely on is described by somebody', () => {
  const known = configDefinitions(root, 'src').flatMap((definition) => Object.values(definition).map(({ env }) => env));
  // decisions: names that operators and scripts rely on.
  const promised =
    'HOST PORT OPS_HOST OPS_PORT BASE_PATH DATA_DIR NATS_URL MONGODB_URI ADMIN_USER ADMIN_PASSWORD ADMIN_APPLICATION_PASSWORD ' +
    'GATEWAY_CARD_SECRETS ' +
    'GENERIC_REQUIRE_CONNECTION SECRET_KEY LICENCE_KEY SHOP_CONNECTOR DEMO_SHOP LOG_LEVEL';
  expect(promised.split(' ').filter((name) => !known.includes(name))).toEqual([]);
});

test('each field says what it means, and its example is a value it takes', () => {
  for (const field of configDefinitions(root, 'src').flatMap((definition) => Object.values(definition))) {
    expect([field.env, field.description.length > 5]).toEqual([field.env, true]);
    expect([field.env, field.schema.safeParse(field.example).error?.message]).toEqual([field.env, undefined]);
  }
});

test('no name of ours looks like a misspelling of another, as a process that knows only its own would take it', () => {
  const everywhere = [commonConfiguration, distributedConfiguration];
  const known = examplesOf(configDefinitions(root, 'src'));
  const shared = examplesOf(everywhere);
  for (const name of [...known.keys()].filter((one) => !shared.has(one))) {
    const others = new Map([...known].filter(([other]) => other !== name));
    expect([name, misspeltVariables({ [name]: 'x' }, others, false)]).toEqual([name, []]);
  }
});

const other = defineConfig({
  demo: { env: 'DEMO', schema: flag.default(true), description: 'Seeds', example: 'true' },
  key: { env: 'KEY', schema: z.string().optional(), description: 'A|B', example: 'a|b', secret: true },
});

test('one row a variable, also when two definitions share it', () => {
  const table = configTable([commonConfiguration, other, commonConfiguration]);
  expect(table.split('\n')).toHaveLength(2 + 3 + 2);
  expect(table).toContain('| `OPS_PORT` | `9464` |');
  expect(table).toContain('| `DEMO` | `true` | Seeds | `true` |');
  expect(table).toContain('| `KEY` | none | A\\|B | `a\\|b` |');
});

test('two descriptions of one variable are a mistake', () => {
  const clash = defineConfig({ level: { ...commonConfiguration.logLevel, description: 'Something else' } });
  expect(() => configTable([commonConfiguration, clash])).toThrow(/LOG_LEVEL/);
});

test('only what stands between the markers is replaced', () => {
  const text = 'before\n<!-- config:start -->\nold\n<!-- config:end -->\nafter';
  expect(withSection(text, 'config', 'new')).toBe('before\n<!-- config:start -->\nnew\n<!-- config:end -->\nafter');
  expect(withSection(withSection(text, 'config', 'new'), 'config', 'new')).toBe(withSection(text, 'config', 'new'));
  expect(() => withSection('no markers', 'config', 'new')).toThrow(/markers/);
});
