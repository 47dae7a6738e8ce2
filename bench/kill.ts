import { openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type KillResult, passed } from '../services/run/test/kill-harness';
import {
  type DistributedKills,
  type DistributedVictim,
  distributedVictims,
  everythingOnce,
  type KillRun,
  killDistributed,
  killEmbedded,
} from '../services/run/test/kill-runs';
import { newFolder } from './disk';

const help = `node bench/kill.mjs [--webhooks 50000] [--kills 8] [--connections 64] [--mode embedded|distributed|both]
                    [--drain 60] [--keep] [--rounds 1] [--victims worker-1,api-gateway,bus,…]
                    [--database-kill '<command>' --database-restart '<command>']
Sends signed webhooks, each until it is acknowledged, and ends processes with SIGKILL meanwhile: the embedded process --kills times;
in distributed mode (needs NATS_SERVER_BIN, the program, and MONGODB_URI) each process, nats-server, and nats-server with its storage
deleted. --victims names others: processes, bus, bus-wiped (its storage deleted), database (ended and started by the two shell
commands; the data must survive); --rounds ends them that many times. Then every acknowledged webhook must have exactly one note on
its order and be told in the log within --drain seconds. Exit code 1 when one has not. Data, ledger and logs are in ./data/kill-*;
they and the databases are kept with --keep or when the test fails.
`;

type Options = {
  webhooks: number;
  kills: number;
  connections: number;
  drain: number;
  mode: string;
  keep: boolean;
  distributed: DistributedKills;
};

/** Runs the kill test at full size and prints a line for each mode. Resolves with the exit code. */
export async function main(args: string[]): Promise<number> {
  const options = readOptions(args);
  if (!options) {
    process.stdout.write(help);
    return 0;
  }
  let code = 0;
  const { NATS_SERVER_BIN: natsServer, MONGODB_URI: mongodbUri } = process.env;
  if (options.mode !== 'distributed') {
    code = Math.max(code, await attempt('embedded', options, (run) => killEmbedded(run, options.kills)));
  }
  if (options.mode === 'embedded') return code;
  if (natsServer && mongodbUri) {
    return Math.max(
      code,
      await attempt('distributed', options, (run) =>
        killDistributed(run, { natsServer, mongodbUri }, options.distributed),
      ),
    );
  }
  process.stdout.write('distributed: skipped, NATS_SERVER_BIN or MONGODB_URI is not set\n');
  return options.mode === 'distributed' ? 2 : code;
}

function readOptions(args: string[]): Options | undefined {
  const { values } = parseArgs({
    args,
    options: {
      webhooks: { type: 'string', default: '50000' },
      kills: { type: 'string', default: '8' },
      connections: { type: 'string', default: '64' },
      drain: { type: 'string', default: '60' },
      mode: { type: 'string', default: 'both' },
      rounds: { type: 'string', default: '1' },
      victims: { type: 'string', default: everythingOnce.victims.join(',') },
      'database-kill': { type: 'string', default: '' },
      'database-restart': { type: 'string', default: '' },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { mode, keep, help: wanted } = values;
  const numbers = [values.webhooks, values.connections, values.drain, values.kills, values.rounds].map(Number);
  const [webhooks = 0, connections = 0, drain = 0, kills = 0, rounds = 0] = numbers;
  const usable = numbers.every((value) => Number.isInteger(value) && value >= 0) && webhooks * connections * drain > 0;
  if (wanted || !usable || !['embedded', 'distributed', 'both'].includes(mode)) return undefined;
  const victims = values.victims.split(',');
  const [kill, restart] = [values['database-kill'], values['database-restart']];
  if (!victims.every(isVictim) || (victims.includes('database') && !(kill && restart))) return undefined;
  return {
    webhooks,
    kills,
    connections,
    drain,
    mode,
    keep,
    distributed: { victims, rounds, database: { kill, restart } },
  };
}

function isVictim(name: string): name is DistributedVictim {
  return distributedVictims.some((one) => one === name);
}

async function attempt(mode: string, options: Options, kill: (run: KillRun) => Promise<KillResult>): Promise<number> {
  const folder = newFolder(`kill-${mode}-`);
  const { webhooks, connections, drain } = options;
  const firstOrder = Math.floor(Date.now() / 1000);
  const log = openSync(join(folder, 'log'), 'a');
  const onProgress = (text: string): void => void process.stderr.write(`${mode}: ${text}\n`);
  const result = await kill({
    webhooks,
    connections,
    firstOrder,
    orders: Math.ceil(webhooks / 10),
    drainTimeout: drain * 1000,
    folder,
    log,
    keep: options.keep,
    onProgress,
  });
  const good = passed(result) && result.acknowledged === webhooks;
  process.stdout.write(`${describe(mode, result)}: ${good ? 'passed' : `FAILED, see ${folder}`}\n`);
  if (good && !options.keep) rmSync(folder, { recursive: true, force: true });
  return good ? 0 : 1;
}

function describe(mode: string, result: KillResult): string {
  const { acknowledged, strikes, attempts, duplicates, lost, doubled, unlogged, open, drained, drainedAfterKill } =
    result;
  const sending = `${acknowledged} acknowledged (${attempts} attempts, ${duplicates} answered as duplicates)`;
  const outcome = `${lost.length} lost, ${doubled.length} doubled, ${unlogged.length} not told in the log, ${open} open ${drained.toFixed(1)} s after the last acknowledgement, ${drainedAfterKill.toFixed(1)} s after the last kill`;
  return `${mode}: ${strikes} kills, ${sending}, ${outcome}`;
}
