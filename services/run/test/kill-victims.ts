import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Victim } from './kill-harness';
import type { NatsServer } from './nats-server';
import type { Product } from './product';

/** Milliseconds that the supervisor has for bringing an ended service back. */
const restartTimeout = 60_000;

/** The embedded process: ended and started again by us, on the same data and port. */
export function wholeProcess(product: () => Product, restart: () => Promise<void>): Victim {
  return {
    name: 'the process',
    strike: async () => {
      await product().kill();
      await restart();
    },
  };
}

/** One process of the distributed mode: ended by its process id; the supervisor starts it again. */
export function service(product: Product, name: string): Victim {
  return {
    name,
    strike: async () => {
      const before = product.started.get(name)?.pid;
      if (before === undefined) throw new Error(`${name} has not been reported`);
      process.kill(before, 'SIGKILL');
      const deadline = performance.now() + restartTimeout;
      while (product.started.get(name)?.pid === before) {
        if (performance.now() > deadline) throw new Error(`${name} was not started again within ${restartTimeout} ms`);
        await delay(20);
      }
    },
  };
}

/** The bus: ended and started again, with its storage or, as after a lost disk, without. */
export function bus(nats: NatsServer, storage: 'kept' | 'deleted'): Victim {
  return {
    name: `nats-server, its storage ${storage}`,
    strike: async () => {
      await nats.kill();
      if (storage === 'deleted') nats.wipe();
      await nats.start();
    },
  };
}

/** Shell commands of the operator, who alone knows how the database is run: one ends it at once, the other starts it on the same data. */
export type DatabaseCommands = { readonly kill: string; readonly restart: string };

/** Milliseconds that such a command has. */
const commandTimeout = 120_000;

/** The database of all services. */
export function database({ kill, restart }: DatabaseCommands): Victim {
  return {
    name: 'the database',
    strike: async () => {
      await shell(kill);
      await shell(restart);
    },
  };
}

async function shell(command: string): Promise<void> {
  await promisify(execFile)('sh', ['-c', command], { timeout: commandTimeout });
}
