import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { apiClient, type Client, importOrders, payableOrders, type Secrets } from './product-client';

/** Something that is ended while webhooks arrive. `strike` ends it and, where nobody else does, starts it again. */
export type Victim = { readonly name: string; strike(): Promise<void> };

/** A note of the shop's store. */
export type StoredNote = { readonly order: number; readonly text: string };

/** What is judged by: the stores, read from outside. */
export type Evidence = {
  /** Every note on these orders. */
  notes(orders: readonly number[]): Promise<readonly StoredNote[]>;
  /** Transactions of which the log tells how their webhook came and, in the same process, what came of it. */
  logged(): Promise<ReadonlySet<string>>;
  /** Events that intake or evaluation still holds open. */
  open(): Promise<number>;
};

export type KillTest = {
  readonly port: number;
  readonly secrets: Secrets;
  readonly evidence: Evidence;
  readonly victims: readonly Victim[];
  /** Webhooks to send, each repeated until it is acknowledged, spread over that many orders from `firstOrder` on. */
  readonly webhooks: number;
  readonly firstOrder: number;
  readonly orders: number;
  readonly connections: number;
  /** A file that the sender writes each acknowledged webhook into. */
  readonly ledger: string;
  /** Milliseconds from the last acknowledgement until everything must be done. */
  readonly drainTimeout: number;
  readonly onProgress?: (text: string) => void;
};

export type KillResult = {
  readonly acknowledged: number;
  readonly attempts: number;
  readonly duplicates: number;
  readonly strikes: number;
  /** Transactions that were acknowledged and have no note on their order. */
  readonly lost: readonly string[];
  /** Transactions that have more than one note, wherever. */
  readonly doubled: readonly string[];
  /** Transactions that were acknowledged and are not told in the log from beginning to end. */
  readonly unlogged: readonly string[];
  /** Events open at the timeout. */
  readonly open: number;
  /** Seconds from the last acknowledgement until everything was done, or until the timeout; and the same from the last kill. */
  readonly drained: number;
  readonly drainedAfterKill: number;
};

export type LedgerLine = { readonly transaction: string; readonly order: number };

/** True when nothing was lost, nothing doubled, everything told and everything done in time. */
export function passed({ lost, doubled, unlogged, open }: KillResult): boolean {
  return [lost, doubled, unlogged].every(({ length }) => length === 0) && open === 0;
}

/** Compares the sender's ledger with the notes found: what has none on its order, and what has more than one. */
export function judge(ledger: readonly LedgerLine[], notes: readonly StoredNote[], marker: string) {
  const found = new Map<string, number[]>();
  for (const { order, text } of notes) {
    if (!text.startsWith(marker)) continue;
    const transaction = text.slice(marker.length);
    found.set(transaction, [...(found.get(transaction) ?? []), order]);
  }
  const lost = ledger.filter(({ transaction, order }) => !found.get(transaction)?.includes(order));
  const doubled = [...found].filter(([, orders]) => orders.length > 1);
  return { lost: lost.map(({ transaction }) => transaction), doubled: doubled.map(([transaction]) => transaction) };
}

/**
 * The promise, tried (architecture, "The one promise"): webhooks arrive, the victims are ended one after the other, each amid its
 * share of the load, and in the end each acknowledged webhook has exactly one note on its order and its entries in the log. Leaves the product running.
 */
export async function runKillTest(test: KillTest): Promise<KillResult> {
  const client = apiClient(test.port, test.secrets);
  const marker = `paid ${test.firstOrder} `;
  await importOrders(client, payableOrders(test.firstOrder, test.orders));
  await createNoteRule(client, marker);
  const { lastStrike, ...sent } = await sendWhileStriking(test);
  const since = performance.now();
  const verdict = await untilDone(test, readLedger(test.ledger), marker, since);
  const end = performance.now();
  return { ...sent, ...verdict, drained: (end - since) / 1000, drainedAfterKill: (end - lastStrike) / 1000 };
}

/** A rule that writes one note for each payment, which names the transaction. */
export async function createNoteRule(client: Client, marker: string): Promise<void> {
  const note = { note_text: `${marker}{{event.transaction_id}}`, is_customer_note: false, add_timestamp: false };
  await client('POST', '/v1/rules', {
    name: 'A note for every payment',
    enabled: true,
    rule: {
      trigger: { id: 'order_processing', settings: {} },
      conditions: [],
      primaryAction: null,
      secondaryActions: [{ id: 'add_order_note', settings: note }],
    },
  });
}

type Sent = Pick<KillResult, 'acknowledged' | 'attempts' | 'duplicates' | 'strikes'> & { readonly lastStrike: number };
type Progress = { acknowledged: number; attempts?: number; duplicates?: number; done?: boolean };

async function sendWhileStriking(test: KillTest): Promise<Sent> {
  const { victims, onProgress } = test;
  const sender = startSender(test);
  let progress: Progress = { acknowledged: 0 };
  let ended = false;
  let lastStrike = performance.now();
  sender.on('message', (message) => {
    progress = message as Progress;
  });
  sender.once('exit', () => {
    ended = true;
  });
  try {
    for (const [index, victim] of victims.entries()) {
      if (!ended) sender.send({ allowed: shares(index + 1.5, test) });
      while (progress.acknowledged < shares(index + 1, test) && !ended) await delay(5);
      onProgress?.(`${progress.acknowledged} acknowledged, now ending ${victim.name}`);
      lastStrike = performance.now();
      await victim.strike();
    }
    sender.send({ allowed: test.webhooks });
    while (!ended) await delay(20);
  } finally {
    sender.kill('SIGKILL');
  }
  if (!progress.done) throw new Error(`the sender ended early, after ${progress.acknowledged} acknowledgements`);
  const { acknowledged, attempts = 0, duplicates = 0 } = progress;
  return { acknowledged, attempts, duplicates, strikes: victims.length, lastStrike };
}

/** The load has one share for each victim, after which it is ended while the next half share arrives, and one for the time after the last. */
function shares(count: number, { victims, webhooks }: KillTest): number {
  return Math.floor((count * webhooks) / (victims.length + 1));
}

function startSender(test: KillTest): ChildProcess {
  const { port, secrets, webhooks: count, connections, firstOrder, orders, ledger } = test;
  const options = {
    port,
    secret: secrets.cardSecret,
    prefix: `${firstOrder}x`,
    count,
    connections,
    firstOrder,
    orders,
    ledger,
    allowed: 0,
  };
  return fork(join(__dirname, 'kill-sender.mjs'), [JSON.stringify(options)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [],
  });
}

/** Reads the stores until nothing is open and nothing is lost, or the timeout is reached; then judges. */
export async function untilDone(
  test: Pick<KillTest, 'evidence' | 'firstOrder' | 'orders' | 'drainTimeout' | 'onProgress'>,
  ledger: readonly LedgerLine[],
  marker: string,
  since: number,
) {
  const { evidence, firstOrder, orders, drainTimeout, onProgress } = test;
  const ids = Array.from({ length: orders }, (_, index) => firstOrder + index);
  for (;;) {
    const late = performance.now() - since >= drainTimeout;
    const open = await evidence.open();
    if (open === 0 || late) {
      const verdict = judge(ledger, await evidence.notes(ids), marker);
      const logged = await evidence.logged();
      const unlogged = ledger
        .filter(({ transaction }) => !logged.has(transaction))
        .map(({ transaction }) => transaction);
      if (late || verdict.lost.length + unlogged.length === 0) return { ...verdict, unlogged, open };
    }
    onProgress?.(`${open} events open`);
    await delay(250);
  }
}

function readLedger(file: string): LedgerLine[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as LedgerLine);
}
