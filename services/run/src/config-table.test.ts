import { commonConfiguration, defineConfig, flag } from '@order-automation/service';
import { z } from 'zod';
import { configTable, withSection } from './config-table';

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
