import type { Msg } from 'nats';
import { decode } from './codec';
import type { ConsumeOptions, Membership } from './nats-consume';
import { acknowledgement, type Delivery, idOf } from './nats-delivery';
import type { Link } from './nats-link';
import { parseMessage } from './parse';
import type { Message } from './port';
import { type Disposition, delayAfter, settleBatch, textOf } from './settle';

/** The messages that this process has and the server waits for. */
export type Hands = {
  take(msg: Msg): void;
  release(msg: Msg, answer?: Uint8Array): void;
  /** Asks the server to wait on for all of them. */
  stillWorking(): void;
};

export function newHands(link: Link): Hands {
  const held = new Set<Msg>();
  const reply = (msg: Msg, answer: Uint8Array): void => {
    if (msg.reply && !link.nc.isClosed()) link.nc.publish(msg.reply, answer);
  };
  return {
    take: (msg) => held.add(msg),
    release: (msg, answer) => {
      if (answer) reply(msg, answer);
      held.delete(msg);
    },
    stillWorking: () => {
      if (!link.trouble()) for (const msg of held) reply(msg, acknowledgement.working);
    },
  };
}

type Readable = { readonly delivery: Delivery; readonly message: Message };
type Unreadable = { readonly delivery: Delivery; readonly fault: string };

/** Hands a batch to the handler and settles every message of it with the server. Never rejects. */
export async function handle(
  options: ConsumeOptions,
  membership: Membership,
  hands: Hands,
  deliveries: readonly Delivery[],
): Promise<void> {
  const { keeper, log, maxDeliver, backoff } = options;
  const { type, group, handler } = membership;

  const giveUp = async (delivery: Delivery, message: Message | undefined, reason: string, error?: unknown) => {
    const { msg, attempts, sequence } = delivery;
    const id = message?.id ?? idOf(msg.headers, type, sequence);
    const cause = error === undefined ? {} : { error };
    const body = message ?? new Uint8Array(msg.data);
    const time = new Date().toISOString();
    const kept = await keeper.keep({ type, group, id, attempts, reason, ...cause, message: body, time });
    hands.release(msg, kept ? acknowledgement.never : undefined);
  };

  const settle = async ({ delivery, message }: Readable, disposition: Disposition): Promise<void> => {
    const { msg, attempts } = delivery;
    if (disposition.kind === 'done') hands.release(msg, acknowledgement.done);
    else if (disposition.kind === 'retry') hands.release(msg, acknowledgement.again(delayAfter(attempts, backoff)));
    else await giveUp(delivery, message, disposition.reason, disposition.error);
  };

  const { good, bad } = open(membership, deliveries);
  const ends = bad.map(({ delivery, fault }) => giveUp(delivery, undefined, fault));
  if (good.length > 0) {
    const messages = good.map(({ message }) => message);
    const attempts = good.map(({ delivery }) => delivery.attempts);
    const dispositions = await settleBatch(handler, messages, attempts, maxDeliver);
    const failed = dispositions.find((disposition) => disposition.kind === 'retry');
    if (failed) log.warn({ type, group, err: failed.error, reason: textOf(failed.error) }, 'will be delivered again');
    for (const [index, one] of good.entries()) ends.push(settle(one, dispositions[index] ?? { kind: 'done' }));
  }
  await Promise.all(ends);
}

function open({ type }: Membership, deliveries: readonly Delivery[]) {
  const good: Readable[] = [];
  const bad: Unreadable[] = [];
  for (const delivery of deliveries) {
    try {
      const message = parseMessage(decode(delivery.msg.data));
      if (message.type === type) good.push({ delivery, message });
      else bad.push({ delivery, fault: `A message ${message.type} came as ${type}.` });
    } catch (error) {
      bad.push({ delivery, fault: textOf(error) });
    }
  }
  return { good, bad };
}
