import { type Call, type Reply, textOf } from '@order-automation/base';
import { StoreUnavailableError, storeErrors } from '../errors';
import { unavailableFrom } from './connection';
import { type Engine, openEngine, openReader } from './engine';
import type { Request } from './protocol';

/** What a thread does with its files: `all`, or only reads beside a thread that does. */
export type Part = 'all' | 'reads';

/** The engines of one thread, by the number of their database. */
export type Engines = {
  receive(calls: readonly Call<Request>[]): void;
  /** Carries out what was received at once, instead of with what comes next. */
  run(): void;
  close(): void;
};

export function startEngines(part: Part, deliver: (replies: Reply[]) => void): Engines {
  const engines = new Map<number, Engine>();
  const open = part === 'all' ? openEngine : openReader;

  const receive = ({ id, asked: request }: Call<Request>): void => {
    const { database } = request;
    try {
      if (request.kind === 'open') {
        engines.set(database, open(request.file, request.options, deliver));
        deliver([{ id, ok: true, value: null }]);
      } else if (request.kind === 'close') {
        engines.get(database)?.close();
        engines.delete(database);
        deliver([{ id, ok: true, value: null }]);
      } else {
        const engine = engines.get(database);
        if (engine === undefined) throw new StoreUnavailableError('The store is closed.');
        engine.submit(id, request.operation);
      }
    } catch (error) {
      deliver([{ id, ok: false, error: storeErrors.write(unavailableFrom(error) ?? cannotOpen(error)) }]);
    }
  };

  return {
    receive: (calls) => calls.forEach(receive),
    run: () => {
      for (const engine of engines.values()) engine.run();
    },
    close: () => {
      for (const engine of engines.values()) engine.close();
      engines.clear();
    },
  };
}

function cannotOpen(error: unknown): StoreUnavailableError {
  return new StoreUnavailableError(`The database file cannot be opened: ${textOf(error)}`);
}
