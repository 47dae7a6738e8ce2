import { spawnSync } from 'node:child_process';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { createLogger } from './logger';

function capture(level = 'info') {
  const lines: string[] = [];
  const log = createLogger({ name: 'test', level, destination: { write: (line: string) => void lines.push(line) } });
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown> };
}

test('a line has level, time, name and what was logged', () => {
  const { log, last } = capture();
  log.info({ order_id: 7, nested: { deep: { password: 'canary' } } }, 'done');
  expect(last()).toMatchObject({
    level: 'info',
    name: 'test',
    order_id: 7,
    msg: 'done',
    nested: { deep: { password: '[redacted]' } },
  });
  expect(new Date(String(last().time)).getTime()).not.toBeNaN();
});

test('neither messages, errors nor bindings give away the credentials of a URI', () => {
  const { log, lines } = capture();
  const error = new Error('cannot reach nats://me:canary@bus:4222');
  log.error(error);
  log.error({ err: error }, `failed: ${error.message}`);
  log.child({ server: 'nats://me:canary@bus:4222' }).info('hello 4242424242424242');
  expect(lines).toHaveLength(3);
  expect(lines.join('')).not.toContain('canary');
  expect(lines.join('')).not.toContain('4242424242424242');
  expect(lines[1]).toContain('"stack":"Error: cannot reach nats://[redacted]@bus:4222');
});

// docs/operations/alerts.md, "Store Unavailable": an outage of the database made half a megabyte of log in 20 seconds, most of it the same stacks.
test('an error that is retried later has what it and its causes say, without a stack', () => {
  const { log, last } = capture();
  const cause = new Error('refused by mongodb://me:canary@db', { cause: new TypeError('deeper') });
  const outage = Object.assign(new Error('MongoDB does not answer.', { cause }), { retry: 'later' });
  log.warn({ err: outage, part: 'one' }, 'failing');
  expect(last()).toMatchObject({ part: 'one', msg: 'failing' });
  expect(last().err).toEqual({
    type: 'Error',
    message: 'MongoDB does not answer.',
    causes: ['Error: refused by mongodb://[redacted]@db', 'TypeError: deeper'],
  });
  log.error({ err: new Error('a fault') }, 'failed');
  expect(last().err).toMatchObject({ stack: expect.stringContaining('logger.test.ts') });
});

test('a level that is off reads nothing of the object', () => {
  const { log, lines } = capture('warn');
  const trap = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error('read');
      },
    },
  );
  log.debug(trap, 'never');
  expect(lines).toHaveLength(0);
});

// docs/operations/alerts.md, "Disk Fills": the process recovers without a restart. It ended, or stood still for good, where its log was on that disk.
test('a process whose log stands on a full disk goes on', () => {
  const program = `
    const { createLogger } = require(${JSON.stringify(join(__dirname, 'logger.ts'))});
    const log = createLogger({ name: 'full', level: 'info' });
    log.info('one');
    setTimeout(() => { log.info('two'); process.stderr.write('alive'); }, 50);`;
  const { stderr, status } = spawnSync(
    process.execPath,
    ['--conditions=source', '--require', 'tsx/cjs', '--eval', program],
    { stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'], timeout: 30_000 },
  );
  expect([String(stderr), status]).toEqual(['alive', 0]);
});
