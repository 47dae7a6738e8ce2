import { type Message, message, type RequestInput } from '@order-automation/contracts';
import { type Bus, type BusLog, type EventType, silent } from '../../src/port';

/** A bus made for one test, with nothing on it. */
export type BusUnderTest = {
  readonly bus: Bus;
  /** Another connection to the same bus; the same one where there are no connections. */
  readonly other: Bus;
  /** Puts a text where messages of that type travel, past every check. */
  readonly inject: (type: EventType, text: string) => Promise<void>;
  /** What the adapter has said of messages that are given up. */
  readonly givenUp: readonly GivenUp[];
  dispose(): Promise<void>;
};

/** The fields of the line in the log about a message that is given up. */
export type GivenUp = {
  readonly type: string;
  readonly group: string;
  readonly id: string;
  /** Deliveries to a handler. */
  readonly attempts: number;
  readonly reason: string;
  readonly err?: unknown;
};

/** A log for an adapter that is tested, and what it has said of messages that are given up. */
export function givingUpLog(): { readonly log: BusLog; readonly givenUp: GivenUp[] } {
  const givenUp: GivenUp[] = [];
  const error = (fields: object, text: string): void => {
    if (text === 'message is given up') givenUp.push(fields as GivenUp);
  };
  return { log: { ...silent, error }, givenUp };
}

/** What the suites ask for: the bus of the test that runs. */
export type Subject = () => BusUnderTest;

let sequence = 0;

/** News of rule number `rule`, with a fresh id unless `id` says otherwise. */
export function news(rule: number, id?: string): Message<'rules.changed.v1'> {
  sequence += 1;
  const data = { rule_id: rule, revision: rule, change: 'updated' as const };
  return message('rules.changed.v1', data, { now: Date.now(), id: id ?? `news-${process.pid}-${sequence}` });
}

export function manyNews(count: number): Message<'rules.changed.v1'>[] {
  return Array.from({ length: count }, (_, index) => news(index + 1));
}

/** A group of one webhook with a body of that many bytes, none of which is text. */
export function webhookOf(size: number): RequestInput<'intake.receive.v1'> {
  const body = new Uint8Array(size);
  for (let index = 0; index < size; index += 1) body[index] = (index * 31 + 128) % 256;
  return {
    webhooks: [
      {
        process_id: 'proc_conformance',
        gateway: 'gateway_card',
        connection: null,
        headers: { 'card-signature': ['t=1,v1=00'] },
        body,
        received_at: new Date().toISOString(),
        refused: null,
      },
    ],
  };
}

export const step = {
  key: 'key',
  order_id: 1,
  revision: null,
  commands: [{ key: 'key', command: { kind: 'add_note' as const, note: 'a note', customer_note: false } }],
  cause: { process_id: 'proc_conformance', depth: 0, author: 'test' },
};

/** Looks every 5 ms until there is something truthy; throws after `timeout` milliseconds. */
export async function eventually<T>(look: () => T, what: string, timeout = 10_000): Promise<T> {
  const deadline = Date.now() + timeout;
  for (;;) {
    const seen = look();
    if (seen) return seen;
    if (Date.now() > deadline) throw new Error(`waited ${timeout} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Something that others wait for and the test lets happen. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
