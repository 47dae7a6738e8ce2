import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { AuditFilters, NewAuditEntry, NewAuditRecord } from '@order-automation/contracts';
import { createLogger, createMetrics, keyRing } from '@order-automation/service';
import { mongoStore, type Store, sqliteStore } from '@order-automation/store';
import { filterOptions } from '../services/audit/src/answers';
import { sealSettled } from '../services/audit/src/chain/sealing';
import { verifyLog } from '../services/audit/src/chain/verify';
import { bucketsOf } from '../services/audit/src/counts/stats';
import { type Log, openLog } from '../services/audit/src/log';
import { listEntries, processView } from '../services/audit/src/reading/list';
import { auditTelemetry } from '../services/audit/src/telemetry';
import { newFolder } from './disk';
import { percentile, table } from './table';

const help = `npm run bench:log -- [--sizes 10000,100000] [--rounds 15]
Fills a log and prints, for each size, what a page of each list costs (p50 in milliseconds, and how many times that of the first size: P7 asks for 2)
and what recording an entry costs. SQLite, or MongoDB where MONGODB_URI is set.
`;

const perProcess = 8;
const processesAtOnce = 64;
const shown = { include_debug: false, include_test: false };
const start = Date.parse('2026-01-01T00:00:00.000Z');

/** A process of a webhook that five rules listen to, one every second of the log's time. */
function processOf(index: number): NewAuditRecord {
  const at = new Date(start + index * 1000).toISOString();
  const entry = (uid: string, more: Partial<NewAuditEntry>): NewAuditRecord['entries'][number] => ({
    uid: `${index}:${uid}`,
    timestamp: at,
    status: 'success',
    event_type: 'webhook_received',
    source: 'webhook',
    summary: `payment_intent.succeeded from gateway_card accepted for order ${index % 50_000}`,
    order_id: index % 50_000,
    rule_id: null,
    duration_ms: null,
    is_test: false,
    is_debug: false,
    details: { transaction_id: `pi_${index}`, gateway: 'gateway_card', amount: '49.00' },
    ...more,
  });
  const rules = Array.from({ length: 5 }, (_, rule) =>
    entry(`rule:${rule}`, {
      event_type: 'rule_evaluation',
      status: rule === 0 ? 'success' : 'skipped',
      rule_id: rule + 1,
      summary: `Rule "Rule ${rule + 1}" did not match: total 49.00, needs more than ${rule}00.00.`,
    }),
  );
  const status = index % 1000 === 0 ? 'error' : 'success';
  const action = entry('action', { event_type: 'action_executed', rule_id: 1, status, summary: 'A note was added.' });
  const outcome = entry('outcome', { event_type: 'process_completed', duration_ms: 12 });
  return { uid: `${index}`, process_id: `proc_${index}`, entries: [entry('received', {}), ...rules, action, outcome] };
}

/** Each list by name. */
function listsOf(log: Log, size: number): Record<string, () => Promise<unknown>> {
  const list =
    (view: 'flat' | 'consolidated', page: number, filters: Partial<AuditFilters> = {}) =>
    () =>
      listEntries({ view, page, per_page: 20, filters: { ...shown, ...filters } }, log);
  const middle = new Date(start + (size / perProcess / 2) * 1000).toISOString();
  return {
    'consolidated page 1': list('consolidated', 1),
    'consolidated page 25': list('consolidated', 25),
    'consolidated errors': list('consolidated', 1, { status: ['error'] }),
    'flat page 1': list('flat', 1),
    'flat page 25': list('flat', 25),
    'flat page 400': list('flat', 400),
    'flat by status': list('flat', 1, { status: ['error'] }),
    'flat by rule, page 25': list('flat', 25, { rule_id: [3] }),
    'flat by order': list('flat', 1, { order_id: [77] }),
    'flat to a time': list('flat', 2, { date_to: middle }),
    'flat search': list('flat', 1, { search: 'order 77 accepted' }),
    'a process': () => processView({ process_id: 'proc_77', page: 1, per_page: 100 }, log),
    'filter options': () => filterOptions(log.totals),
    'stats of a day': async () => bucketsOf(await log.totals.statsBetween(middle, middle, 'hour'), 'hour'),
  };
}

export async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      sizes: { type: 'string', default: '10000,100000' },
      rounds: { type: 'string', default: '15' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const folder = newFolder('log-');
  const store = await openStore(folder);
  try {
    await measure(store, values.sizes.split(',').map(Number), Number(values.rounds));
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return 0;
}

function openStore(folder: string): Promise<Store> {
  const uri = process.env.MONGODB_URI;
  return uri
    ? mongoStore({ uri, database: `bench_log_${process.pid}` })
    : sqliteStore({ file: join(folder, 'audit.sqlite') });
}

async function measure(store: Store, sizes: readonly number[], rounds: number): Promise<void> {
  let now = Date.now();
  const telemetry = auditTelemetry({
    metrics: createMetrics('bench'),
    log: createLogger({ name: 'bench', level: 'silent' }),
  });
  const log = await openLog({
    store,
    clock: { now: () => now },
    telemetry,
    secretKeys: keyRing([Buffer.alloc(32, 1)]),
  });
  const costs = new Map<string, number[]>();
  const add = (name: string, cost: number): void => void costs.set(name, [...(costs.get(name) ?? []), cost]);
  let recorded = 0;
  for (const size of sizes) {
    const from = performance.now();
    const before = recorded;
    while (recorded < size) {
      const first = recorded / perProcess;
      await log.record(Array.from({ length: processesAtOnce }, (_, index) => processOf(first + index)));
      recorded += processesAtOnce * perProcess;
    }
    add('recording an entry (us)', ((performance.now() - from) * 1000) / (recorded - before));
    now += 60_000;
    const sealing = performance.now();
    const sealed = await sealSettled(log);
    await log.totals.roll();
    now += 60_000;
    add('sealing and counting it (us)', ((performance.now() - sealing) * 1000) / Math.max(sealed, 1));
    const proving = performance.now();
    const proved = await prove(log);
    add('proving it (us)', ((performance.now() - proving) * 1000) / proved);
    for (const [name, run] of Object.entries(listsOf(log, size))) add(name, await median(run, rounds));
  }
  const [head, ...rest] = sizes;
  const rows = [...costs].map(([name, [first = 0, ...others]]) => [
    name,
    first.toFixed(2),
    ...others.flatMap((cost) => [cost.toFixed(2), `${(cost / first).toFixed(1)}x`]),
  ]);
  const header = ['p50 in ms, entries:', String(head), ...rest.flatMap((size) => [String(size), 'x'])];
  process.stdout.write(`${table([header, ...rows])}\n`);
}

/** Resolves with how many entries were checked; rejects where the log is not whole. */
async function prove(log: Log): Promise<number> {
  let checked = 0;
  for (let from_id: number | null = null; ; ) {
    const { next_id, valid, reason, ...counts } = await verifyLog({ from_id, to_id: null }, log);
    if (!valid) throw new Error(`The log is not whole: ${reason}`);
    checked += counts.checked;
    if (next_id === null) return checked;
    from_id = next_id;
  }
}

async function median(run: () => Promise<unknown>, rounds: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const from = performance.now();
    await run();
    times.push(performance.now() - from);
  }
  return percentile(times, 0.5);
}
