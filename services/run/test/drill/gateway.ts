import { setTimeout as delay } from 'node:timers/promises';
import type { startEventList } from '../../../gateway-intake/test/event-list';
import { cardPayment, cardSignature } from '../card-webhook';
import { type Answer, post } from '../products';

/** Became of a webhook: `unheard` where there was no answer, `refused` where that was `success: false`. */
export type Fate = 'accepted' | 'refused' | 'unheard';

export type Sent = { readonly transaction: string; readonly order: number; readonly created: number; fate: Fate };

type Options = {
  readonly list: Awaited<ReturnType<typeof startEventList>>;
  readonly secret: string;
  /** That takes webhooks, while one does. */
  readonly port: number;
};

export type CardGateway = ReturnType<typeof cardGateway>;

/** A card gateway that lists each of its events and sends its webhook once, whatever the answer. Its clock can be put forward. */
export function cardGateway({ list, secret, port }: Options) {
  const sent: Sent[] = [];
  const clock = { ahead: 0 };
  const signing = { secret };
  const now = () => Date.now() + clock.ahead;
  list.clock.now = now;

  const sendOne = async (order: number, amount: number): Promise<Sent> => {
    const created = Math.floor(now() / 1000);
    const payment = cardPayment({ key: `drill${order}`, orderId: order, created });
    const event = JSON.parse(payment.body.toString());
    Object.assign(event.data.object, { amount, amount_received: amount });
    list.card.push(event);
    const body = Buffer.from(JSON.stringify(event));
    const headers = { 'card-signature': cardSignature(signing.secret, body, created) };
    const one: Sent = { transaction: payment.transaction, order, created: created * 1000, fate: 'unheard' };
    sent.push(one);
    const answer = await post(`http://127.0.0.1:${port}`, { body, headers }).catch(() => undefined);
    if (answer) one.fate = fateOf(answer.answer);
    return one;
  };
  return {
    sent,
    clock,
    signing,
    now,
    /** One payment for each order, at an even pace, or with `step` that much later each by the gateway's clock alone. */
    pay: async (orders: readonly number[], { pace = 0, step = 0, amountOf = (_order: number) => 4_900 }) => {
      const all: Promise<Sent>[] = [];
      for (const order of orders) {
        clock.ahead += step;
        all.push(sendOne(order, amountOf(order)));
        await delay(pace);
      }
      await Promise.all(all);
    },
  };
}

const fateOf = ({ success }: Answer): Fate => (success ? 'accepted' : 'refused');
