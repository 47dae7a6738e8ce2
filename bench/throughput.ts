import { openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { newSecrets } from '../services/run/test/product-client';
import { newFolder } from './disk';
import { startGenerator } from './load';
import { conclusions, latencies, roundsTable, summaryTable } from './report';
import { eventsOf, type RoundOptions, runHalfLoads, runRounds } from './rounds';
import { startSubjects } from './set-up';
import type { Subject } from './subjects';

const help = `npm run bench -- [--rounds 5] [--events 8000] [--connections 64] [--warm-up 48000] [--only P1,P2]
Interleaved rounds of the references N0 (node:http), N1 (node:http, signature), E0 (bare express), E1 (express, signature, parse) and of
the product: P1 webhooks answered, embedded; P2 the same until effects and log are stored, with 100 rules of which 10 listen and one
(or none) matches, or of which one listens and matches; P3 as P2, distributed, where NATS_URL and MONGODB_URI are given. The product is compared to E0 right before and
after it, in each round. Then latencies at half load (P4, P5) and start-up (P8). Loopback only; data in ./data/bench-*, deleted after a
good end.
`;

/** Runs the bench and prints its tables. Resolves with the exit code. */
export async function main(args: string[]): Promise<number> {
  const options = readOptions(args);
  if (!options) {
    process.stdout.write(help);
    return 0;
  }
  const folder = newFolder('bench-');
  const generator = startGenerator();
  const subjects: Subject[] = [];
  const stopAll = async (): Promise<void> => {
    generator.close();
    await Promise.all(subjects.map((subject) => subject.stop()));
  };
  try {
    const secrets = newSecrets();
    const { startUp, firstOrder, orders } = await startSubjects(
      subjects,
      folder,
      secrets,
      openSync(join(folder, 'log'), 'a'),
      options.only,
      eventsOf(options),
    );
    const loads = { ...options, folder, generator, secret: secrets.cardSecret, run: String(firstOrder), orders };
    const rounds = await runRounds(subjects, loads);
    process.stdout.write(`${roundsTable(rounds)}\n\n${summaryTable(rounds)}\n\n`);
    const half = await runHalfLoads(subjects, rounds, loads);
    process.stdout.write(`${[...latencies(half, startUp), ...conclusions(rounds)].join('\n')}\n`);
    await stopAll();
    rmSync(folder, { recursive: true, force: true });
    return 0;
  } catch (error) {
    process.stderr.write(
      `${error instanceof Error ? error.stack : String(error)}\nthe log of the product is in ${folder}\n`,
    );
    await stopAll();
    return 1;
  }
}

function readOptions(args: string[]): (RoundOptions & { readonly only: readonly string[] }) | undefined {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '5' },
      events: { type: 'string', default: '8000' },
      connections: { type: 'string', default: '64' },
      'warm-up': { type: 'string', default: '48000' },
      only: { type: 'string', default: '' },
      help: { type: 'boolean', default: false },
    },
  });
  const [rounds = 0, events = 0, connections = 0, warmUp = 0] = [
    values.rounds,
    values.events,
    values.connections,
    values['warm-up'],
  ].map(Number);
  const usable = [rounds, events, connections, warmUp].every((value) => Number.isInteger(value) && value > 0);
  const only = values.only.split(',').filter((name) => name !== '');
  return values.help || !usable ? undefined : { rounds, events, connections, warmUp, only };
}
