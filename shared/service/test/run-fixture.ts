import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { insertNew } from '@order-automation/store';
import { z } from 'zod';
import { defineConfig } from '../src';
import { run } from '../src/process/run';

/** A service that does as its configuration says, for the tests of `run`. */
const configuration = defineConfig({
  failures: {
    env: 'FAILURES',
    schema: z.string().default('0').transform(Number),
    description: 'Starts that fail before one succeeds',
    example: '2',
  },
  behaviour: {
    env: 'BEHAVIOUR',
    schema: z.enum(['good', 'rejects', 'throws', 'hangs', 'fails to close']).default('good'),
    description: 'What it does once it has started',
    example: 'good',
  },
});

let failed = 0;

void run({
  name: 'fixture',
  config: configuration,
  start: async ({ bus, store, log }, { failures, behaviour }) => {
    if (failed < failures) {
      failed += 1;
      throw new Error(`failure ${failed}`);
    }
    const notes = await store.collection<{ _id: string; by: string }>('notes');
    await bus.respond('intake.status.v1', async () => ({ ready: true, reason: null, adapters: [] }));
    await bus.request('intake.status.v1', {});
    // A start is tried again when the answer to this came too late: it must not mind that it was written.
    await insertNew(notes, [{ _id: 'started', by: 'fixture' }]);
    const server = createServer((_req, res) => res.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    if (behaviour === 'rejects') void delay(20).then(() => Promise.reject(new Error('nobody catches me')));
    if (behaviour === 'throws')
      setTimeout(() => {
        throw new Error('nobody catches me');
      }, 20);
    return {
      port: (server.address() as { port: number }).port,
      problems: async () => (behaviour === 'good' ? [] : [`behaves: ${behaviour}`]),
      drain: () => log.info('service drains'),
      close: async () => {
        log.info('service closed');
        server.close();
        if (behaviour === 'hangs') await new Promise(() => undefined);
        if (behaviour === 'fails to close') throw new Error('it does not close');
      },
    };
  },
});
