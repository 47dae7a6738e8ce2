import { RejectError } from './errors';
import type { Message, Settlement } from './port';
import { type AnyHandler, delayAfter, settleBatch } from './settle';

const messages = [{}, {}, {}] as unknown as readonly Message[];
const settle = (handler: AnyHandler, attempts = [1, 1, 1]) => settleBatch(handler, messages, attempts, 5);
const kinds = async (...args: Parameters<typeof settle>) => (await settle(...args)).map(({ kind }) => kind);

describe('settling a batch', () => {
  test('resolving with nothing has done all', async () => {
    expect(await kinds(async () => undefined)).toEqual(['done', 'done', 'done']);
  });

  test('throwing retries all but those at the end of their deliveries, which keep what was thrown', async () => {
    const error = new Error('database away');
    const outcome = await settle(() => Promise.reject(error), [1, 5, 4]);
    expect(outcome.map(({ kind }) => kind)).toEqual(['retry', 'dead', 'retry']);
    expect(outcome[1]).toEqual({ kind: 'dead', reason: 'database away', error });
  });

  test('a handler that throws before it awaits is the same', async () => {
    const handler = () => {
      throw new Error('at once');
    };
    expect(await kinds(handler)).toEqual(['retry', 'retry', 'retry']);
  });

  test('a RejectError makes dead letters of all at once', async () => {
    expect(await kinds(() => Promise.reject(new RejectError('no such order')))).toEqual(['dead', 'dead', 'dead']);
  });

  test('each is settled by itself', async () => {
    const settlements: Settlement[] = [
      { kind: 'done' },
      { kind: 'reject', reason: 'poison' },
      { kind: 'retry', error: new RejectError('poison too') },
    ];
    expect(await settle(async () => settlements)).toEqual([
      { kind: 'done' },
      { kind: 'dead', reason: 'poison' },
      { kind: 'dead', reason: 'poison too', error: expect.any(RejectError) },
    ]);
  });

  test('too few settlements settle nothing', async () => {
    expect(await kinds(async () => [{ kind: 'done' }])).toEqual(['retry', 'retry', 'retry']);
  });

  test('delays grow up to the longest', () => {
    const backoff = { first: 50, factor: 2, longest: 300 };
    expect([1, 2, 3, 4].map((attempts) => delayAfter(attempts, backoff))).toEqual([50, 100, 200, 300]);
  });
});
