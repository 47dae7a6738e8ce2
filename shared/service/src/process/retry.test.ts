import { createLogger } from './logger';
import { retryForever } from './retry';

const lines: Record<string, unknown>[] = [];
const log = createLogger({
  name: 'test',
  level: 'info',
  destination: { write: (line) => void lines.push(JSON.parse(line)) },
});

beforeEach(() => {
  lines.length = 0;
});

test('tries until it succeeds, waits longer each time, and says why', async () => {
  let tries = 0;
  const reasons: string[] = [];
  const attempt = async () => {
    tries += 1;
    if (tries < 5) throw new Error(`mongodb://me:canary@h is away (${tries})`);
    return 'there';
  };
  const onFailure = (reason: string) => void reasons.push(reason);
  expect(await retryForever(attempt, { what: 'connecting', log, backoff: { first: 1, longest: 4 }, onFailure })).toBe(
    'there',
  );
  expect(lines.map(({ retry_in_ms }) => retry_in_ms)).toEqual([1, 2, 4, 4]);
  expect(reasons[0]).toBe('mongodb://[redacted]@h is away (1)');
  const msg = 'connecting failed, will be tried again';
  expect(lines[0]).toMatchObject({ level: 'info', msg, reason: 'mongodb://[redacted]@h is away (1)' });
  expect(lines[1]).toMatchObject({
    level: 'warn',
    msg,
    tries: 2,
    err: { message: 'mongodb://[redacted]@h is away (2)' },
  });
});

test('gives up at once when told, also while it waits', async () => {
  const stop = new AbortController();
  const onFailure = () => stop.abort();
  const failing = retryForever(() => Promise.reject(new Error('away')), {
    what: 'x',
    log,
    backoff: { first: 60_000, longest: 60_000 },
    signal: stop.signal,
    onFailure,
  });
  await expect(failing).rejects.toMatchObject({ name: 'AbortError' });
  await expect(retryForever(async () => 1, { what: 'x', log, signal: stop.signal })).rejects.toMatchObject({
    name: 'AbortError',
  });
});
