import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { dropDatabases, freshNamespace } from '@order-automation/testing';
import { distributedEvidence, embeddedEvidence } from '../services/run/test/evidence';
import { startNatsServer } from '../services/run/test/nats-server';
import { freePort } from '../services/run/test/product';
import { runSoak, type Soak } from '../services/run/test/soak/soak';
import { mount, newFolder, unmount } from './disk';

const help = `npm run bench:faults -- [--minutes 30] [--rate 20] [--mode embedded|distributed] [--keep]
Sends webhooks while every fault happens, one after the other: processes killed, the shop and the receiver of calls down, a sender paused and
resumed, SECRET_KEY rotated, the disk full (embedded, where we may mount a file system). Then counts by hand: every acknowledged webhook is done or
refused for a reason, each effect once, the stock, the log, the figures of the overview. SOAK_MINUTES is another way to say the minutes. Distributed
needs NATS_SERVER_BIN and MONGODB_URI. Exit code 1 when something does not add up.
`;

type Run = Pick<Soak, 'minutes' | 'rate' | 'logFile' | 'onProgress'>;

/** Runs the soak and prints what does not add up. Resolves with the exit code. */
export async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: process.env.SOAK_MINUTES ?? '30' },
      rate: { type: 'string', default: '20' },
      mode: { type: 'string', default: 'embedded' },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const [minutes, rate] = [Number(values.minutes), Number(values.rate)];
  if (values.help || !(minutes > 0 && rate > 0)) {
    process.stdout.write(help);
    return 0;
  }
  const folder = newFolder('faults-');
  const began = performance.now();
  const onProgress = (text: string): void =>
    void process.stdout.write(`${((performance.now() - began) / 1_000).toFixed(0).padStart(5)} s  ${text}\n`);
  const run = { minutes, rate, logFile: join(folder, 'log'), onProgress };
  const wrong = await (values.mode === 'distributed' ? distributed : embedded)(folder, run);
  for (const sentence of wrong.slice(0, 50)) process.stdout.write(`${sentence}\n`);
  process.stdout.write(
    `${values.mode}: ${wrong.length === 0 ? 'all adds up' : `${wrong.length} FAULTS, see ${folder}`}\n`,
  );
  if (wrong.length === 0 && !values.keep) rmSync(folder, { recursive: true, force: true });
  return wrong.length === 0 ? 0 : 1;
}

async function embedded(folder: string, run: Run): Promise<string[]> {
  const mounted = join(folder, 'disk');
  const data = join(mounted, 'data');
  mkdirSync(mounted);
  // The write-ahead logs of the databases alone grow to 64 MB each; what failed and was tried again is in the log too.
  const size = Math.ceil(1_600 + run.minutes * run.rate * 60 * 0.2);
  const isMounted = mount(mounted, size);
  if (!isMounted) run.onProgress('no disk is filled: this user may not mount a file system');
  mkdirSync(data);
  const env = { DATA_DIR: data, PORT: String(await freePort()) };
  try {
    const disk = isMounted ? { disk: mounted } : {};
    return await runSoak({ ...run, ...disk, services: ['embedded'], env, openEvidence: () => embeddedEvidence(data) });
  } finally {
    if (isMounted) unmount(mounted);
  }
}

const processes = ['worker', 'gateway-intake', 'api-gateway'];

async function distributed(folder: string, run: Run): Promise<string[]> {
  const { NATS_SERVER_BIN: binary, MONGODB_URI: uri } = process.env;
  if (!binary || !uri) return ['NATS_SERVER_BIN or MONGODB_URI is not set'];
  const nats = await startNatsServer(binary, join(folder, 'nats'));
  const namespace = freshNamespace('soak');
  const env = { NATS_URL: nats.url, MONGODB_URI: uri, NAMESPACE: namespace };
  const services = [...processes, ...processes];
  let wrong = [`the databases ${namespace}* are kept`];
  try {
    wrong = await runSoak({ ...run, services, env, nats, openEvidence: () => distributedEvidence(uri, namespace) });
    return wrong;
  } finally {
    await nats.kill();
    // What does not add up is looked for in the databases.
    if (wrong.length === 0) await dropDatabases(uri, namespace);
  }
}
