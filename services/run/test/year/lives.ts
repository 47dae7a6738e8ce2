import { card } from './card';
import { createDice, type Dice } from './dice';
import { generic, isInMinorUnits } from './generic';
import { ipn } from './ipn';
import {
  days,
  decimalText,
  type Gateway,
  type Life,
  type Minor,
  minutes,
  type PlannedOrder,
  type Step,
  type Webhook,
} from './plan';
import { subscriptionLives } from './subscriptions';
import type { About, Paid, Refunded, Voice } from './voice';
import { wallet } from './wallet';

const voices: Readonly<Record<Gateway, Voice>> = { card, wallet, ipn, generic };

/** An order whose life is being written. */
export type Draft = {
  readonly order: PlannedOrder;
  readonly about: About;
  readonly voice: Voice;
  /** When it was placed. */
  readonly at: number;
  readonly dice: Dice;
};

type Written = {
  readonly webhooks: readonly Webhook[];
  /** What the shop saves and when; the first makes the order where it `isLate`. */
  readonly saves?: readonly { readonly at: number; readonly fields: Readonly<Record<string, unknown>> }[];
  readonly isLate?: boolean;
};

/** One law: what the order is like, and what is sent about it. */
export type Law = {
  readonly name: string;
  readonly weight: number;
  readonly gateways: readonly Gateway[];
  readonly order?: (dice: Dice, id: number, gateway: Gateway) => Partial<PlannedOrder>;
  readonly about?: (order: PlannedOrder) => Partial<Pick<About, 'claims' | 'isNamed'>>;
  readonly write: (draft: Draft) => Written;
  /** A further order, which nothing happens to. */
  readonly bystander?: (order: PlannedOrder) => PlannedOrder;
};

const all: readonly Gateway[] = ['card', 'wallet', 'ipn', 'generic'];

const paymentOf = ({ order, at, voice, about }: Draft): Paid => ({
  transaction: order.transaction || voice.newTransaction(about),
  amount: order.total,
  at: at + 5_000,
});

const another = ({ voice, about }: Draft, amount: Minor, at: number): Paid => ({
  transaction: voice.newTransaction(about),
  amount,
  at,
});

/** Refunds of a part each, days apart or minutes. */
function refundsOf({ dice, order, about }: Draft, { transaction, at }: Paid): Refunded[] {
  const count = dice.between(1, 3);
  const part = Math.max(1, Math.floor(order.total / 10));
  let soFar = 0;
  let when = at;
  return Array.from({ length: count }, () => {
    when += dice.chance(0.3) ? dice.between(2, 60) * minutes : dice.between(1, 20) * days;
    const amount = part * dice.between(1, 2);
    soFar += amount;
    return { transaction, amount, at: when, refund: `RF${order.id}R${about.next()}`, soFar };
  });
}

/** Nothing that a foreign or ambiguous event says counts. */
const silenced = (webhooks: readonly Webhook[]): Webhook[] => webhooks.map((webhook) => ({ ...webhook, says: [] }));

const paid = (draft: Draft): Written => ({ webhooks: draft.voice.paid(draft.about, paymentOf(draft)) });

function disputed(draft: Draft, before: readonly Webhook[], payment: Paid): Written {
  const { dice, voice, about, order } = draft;
  const at = payment.at + dice.between(1, 40) * days;
  // Through exchange rates a dispute may be larger than the order.
  const amount = order.total + dice.pick([0, 0, 87, -Math.floor(order.total / 2)]);
  const dispute = { ...payment, amount, at, dispute: `${order.id}d${about.next()}` };
  const end = dice.pick(['WON', 'LOST', 'RESOLVED', null] as const);
  const ended = { ...dispute, at: at + dice.between(1, 60) * days };
  const closing = end === null ? [] : (voice.disputeEnded?.(about, ended, end) ?? []);
  return { webhooks: [...before, ...(voice.disputed?.(about, dispute) ?? []), ...closing] };
}

const inTransaction = (id: number, gateway: Gateway): string =>
  ({ card: `pi_${id}own`, wallet: `${id}OWN`, ipn: `${id}OWNI`, generic: `gt_${id}_own` })[gateway];

/** Plugins that number orders do so when they are placed. */
const aDraft = (_dice: Dice, id: number) => ({ status: 'checkout-draft', number: String(id) });

const laws: readonly Law[] = [
  { name: 'one payment', weight: 12, gateways: all, write: paid },
  {
    name: 'found by its transaction alone',
    weight: 5,
    gateways: all,
    order: (_dice, id, gateway) => ({ transaction: inTransaction(id, gateway) }),
    about: () => ({ isNamed: false }),
    write: (draft) => {
      const payment = paymentOf(draft);
      return {
        webhooks: [
          ...draft.voice.paid(draft.about, payment),
          ...draft.voice.refunded(draft.about, refundsOf(draft, payment)),
        ],
      };
    },
  },
  {
    name: 'an attempt that fails and then succeeds',
    weight: 5,
    // Captures and transactions of the wallet do not come back from a denial.
    gateways: ['card'],
    write: (draft) => {
      const payment = paymentOf(draft);
      const failure = draft.voice.failed(draft.about, { ...payment, at: payment.at - 3 * minutes });
      return { webhooks: [...failure, ...draft.voice.paid(draft.about, payment)] };
    },
  },
  {
    name: 'a second attempt of its own',
    weight: 5,
    gateways: all,
    write: (draft) => {
      const failure = draft.voice.failed(draft.about, another(draft, draft.order.total, draft.at));
      const payment = { ...paymentOf(draft), at: draft.at + 5 * minutes };
      return { webhooks: [...failure, ...(draft.dice.chance(0.8) ? draft.voice.paid(draft.about, payment) : [])] };
    },
  },
  {
    name: 'refunds of a part',
    weight: 8,
    gateways: all,
    write: (draft) => {
      const payment = paymentOf(draft);
      return {
        webhooks: [
          ...draft.voice.paid(draft.about, payment),
          ...draft.voice.refunded(draft.about, refundsOf(draft, payment)),
        ],
      };
    },
  },
  {
    name: 'a refund that fails later',
    weight: 3,
    gateways: ['card'],
    write: (draft) => {
      const payment = paymentOf(draft);
      const refund = { ...payment, amount: 100, soFar: 100, at: payment.at + 2 * days, refund: `RF${draft.order.id}F` };
      return {
        webhooks: [
          ...draft.voice.paid(draft.about, payment),
          ...(draft.voice.refundFailed?.(draft.about, refund) ?? []),
        ],
      };
    },
  },
  {
    name: 'set aside and released',
    weight: 4,
    gateways: ['card', 'wallet'],
    write: (draft) => ({ webhooks: draft.voice.released?.(draft.about, paymentOf(draft)) ?? [] }),
  },
  {
    name: 'set aside and captured',
    weight: 4,
    gateways: ['card', 'wallet'],
    write: (draft) => ({ webhooks: draft.voice.captured?.(draft.about, paymentOf(draft)) ?? [] }),
  },
  {
    name: 'paid days after the checkout',
    weight: 3,
    gateways: ['card'],
    write: (draft) => ({ webhooks: draft.voice.paidLater?.(draft.about, paymentOf(draft)) ?? [] }),
  },
  {
    name: 'a deposit and its balance',
    weight: 8,
    gateways: all,
    write: (draft) => {
      const { order, voice, about, dice, at } = draft;
      const deposit = Math.floor(order.total * dice.pick([0.1, 0.4, 0.5]));
      const middle = dice.chance(0.3) ? Math.floor(order.total * 0.2) : 0;
      const isWhole = dice.chance(0.75);
      const parts = [deposit, ...(middle > 0 ? [middle] : []), ...(isWhole ? [order.total - deposit - middle] : [])];
      return {
        webhooks: parts.flatMap((amount, index) =>
          voice.paidInPart(
            about,
            another(draft, amount, at + index * dice.between(5, 20_000) * minutes),
            index === parts.length - 1 && isWhole,
          ),
        ),
      };
    },
  },
  {
    name: 'more than the total',
    weight: 3,
    gateways: all,
    write: (draft) => {
      const { order, voice, about, at } = draft;
      const most = Math.ceil(order.total * 0.6);
      const payments = draft.dice.chance(0.5) ? [most, most] : [order.total + 100];
      return {
        webhooks: payments.flatMap((amount, index) =>
          voice.paidInPart(about, another(draft, amount, at + index * 10 * minutes), true),
        ),
      };
    },
  },
  {
    name: 'another currency',
    weight: 2,
    gateways: all,
    order: () => ({ currency: 'EUR' }),
    write: (draft) => {
      const about = { ...draft.about, order: { ...draft.order, currency: 'USD' } };
      return { webhooks: draft.voice.paidInPart(about, paymentOf(draft), true) };
    },
  },
  {
    name: 'a dispute',
    weight: 8,
    gateways: ['card', 'wallet'],
    write: (draft) => {
      const payment = paymentOf(draft);
      return disputed(draft, draft.voice.paid(draft.about, payment), payment);
    },
  },
  {
    name: 'copies of an id on a renewal order',
    weight: 3,
    gateways: ['card', 'wallet'],
    order: (_dice, id, gateway) => {
      const transaction = inTransaction(id, gateway);
      return { transaction, status: 'completed', fields: { meta_data: [{ key: '_charge_id', value: transaction }] } };
    },
    about: () => ({ isNamed: false }),
    write: (draft) => disputed(draft, [], paymentOf(draft)),
    bystander: (order) => ({
      ...order,
      id: order.id + 500_000,
      number: String(order.id + 500_000),
      transaction: '',
      status: 'failed',
    }),
  },
  {
    name: 'an id that is the number of another order',
    weight: 3,
    gateways: ['card', 'ipn', 'generic'],
    order: (_dice, id) => ({ number: `N${id}`, reference: String(id) }),
    write: (draft) => ({ webhooks: silenced(draft.voice.paidInPart(draft.about, paymentOf(draft), true)) }),
    bystander: (order) => ({ ...order, id: order.id + 500_000, number: String(order.id), transaction: '' }),
  },
  {
    name: 'a payment of another site',
    weight: 3,
    gateways: ['card'],
    about: () => ({ claims: { site_url: 'https://other-shop.example' } }),
    write: (draft) => ({ webhooks: silenced(draft.voice.paidInPart(draft.about, paymentOf(draft), true)) }),
  },
  {
    name: 'an order key of another order',
    weight: 3,
    gateways: ['card', 'wallet', 'ipn'],
    about: () => ({ claims: { order_key: 'wc_order_OtherShop' } }),
    write: (draft) => ({ webhooks: silenced(draft.voice.paidInPart(draft.about, paymentOf(draft), true)) }),
  },
  {
    name: 'a payment of this site, with its order key',
    weight: 3,
    gateways: ['card'],
    about: ({ key }) => ({ claims: { site_url: 'https://shop.example/', order_key: key } }),
    write: paid,
  },
  { name: 'a draft', weight: 3, gateways: all, order: aDraft, write: paid },
  {
    name: 'a draft that the shop saves after its payment',
    weight: 3,
    gateways: all,
    order: aDraft,
    write: (draft) => ({ ...paid(draft), saves: [{ at: draft.at + 5 * days, fields: { status: 'pending' } }] }),
  },
  {
    name: 'a draft that the shop saves before its payment',
    weight: 2,
    gateways: all,
    order: aDraft,
    write: (draft) => ({ ...paid(draft), saves: [{ at: draft.at - days, fields: { status: 'pending' } }] }),
  },
  {
    name: 'an order that was cancelled before its payment came',
    weight: 3,
    gateways: all,
    order: () => ({ status: 'cancelled' }),
    write: paid,
  },
  {
    name: 'a payment plugin that tells the shop first',
    weight: 4,
    gateways: ['card', 'wallet'],
    write: (draft) => {
      const payment = paymentOf(draft);
      const fields = { status: 'processing', transaction_id: payment.transaction };
      const saves = [{ at: draft.at - days, fields }];
      return { webhooks: draft.voice.paid(draft.about, payment), saves };
    },
  },
  {
    name: 'an order in the trash when its payment comes',
    weight: 3,
    gateways: all,
    write: (draft) => ({ ...paid(draft), saves: [{ at: draft.at - days, fields: { status: 'trash' } }] }),
  },
  {
    name: 'cancelled by a clerk after its payment',
    weight: 3,
    gateways: all,
    write: (draft) => ({ ...paid(draft), saves: [{ at: draft.at + 10 * days, fields: { status: 'cancelled' } }] }),
  },
  {
    name: 'events before their order',
    weight: 4,
    gateways: all,
    write: (draft) => ({
      ...paid(draft),
      isLate: true,
      saves: [{ at: draft.at + dicedDelay(draft.dice), fields: {} }],
    }),
  },
  ...subscriptionLives,
];

/** Most webhooks arrive within seconds, some within hours, and a gateway that could not deliver tries again for three days. */
function dicedDelay(dice: Dice): number {
  const luck = dice.next();
  if (luck < 0.75) return dice.between(0, 20_000);
  return luck < 0.9 ? dice.between(0, 60) * minutes : dice.between(0, 3 * 24 * 60) * minutes;
}

/** In the order of sending, with copies. */
function stepsOf(dice: Dice, { webhooks, saves = [] }: Written): Step[] {
  const sent = webhooks.flatMap((webhook) => {
    const at = webhook.at + dicedDelay(dice);
    const copies = Array.from({ length: dice.chance(0.15) ? dice.between(1, 2) : 0 }, () => at + 1 + dicedDelay(dice));
    const of = (when: number, isCopy: boolean) => ({ at: when, step: { kind: 'webhook', webhook, isCopy } as const });
    return [of(at, false), ...copies.map((when) => of(when, true))];
  });
  const saved = saves.map(({ at, fields }) => ({ at, step: { kind: 'save', fields } as const }));
  return [...sent, ...saved].sort((a, b) => a.at - b.at).map(({ step }) => step);
}

const currencies: Readonly<Record<Gateway, readonly string[]>> = {
  card: ['USD', 'EUR', 'JPY', 'KWD'],
  wallet: ['USD', 'EUR', 'JPY'],
  ipn: ['USD', 'EUR', 'JPY'],
  generic: ['USD', 'EUR', 'IRT'],
};

/** A connection whose amounts are in the smallest unit has to know the currency's decimals. */
const currenciesOf = (gateway: Gateway, id: number): readonly string[] =>
  currencies[gateway].filter((code) => code !== 'IRT' || !isInMinorUnits(id));

function newOrder(dice: Dice, id: number, gateway: Gateway, over: Partial<PlannedOrder>): PlannedOrder {
  const number = over.number ?? dice.pick([String(id), String(id), `N${id}`, String(7_000_000_000 + id)]);
  const plain = [String(id), number.startsWith('N') ? String(id) : number];
  const spelled = [`#${id}`, `WC-${number}`, `${id}_1698765432123`, `WC-${id}-1698765432`];
  const isGuest = dice.chance(0.4);
  return {
    id,
    number,
    key: `wc_order_${id}`,
    // Card gateways take three-decimal amounts in tens (docs.stripe.com/currencies, "Three-decimal currencies").
    total: dice.between(100, 2_000) * 10,
    currency: dice.pick(currenciesOf(gateway, id)),
    status: dice.pick(['pending', 'pending', 'pending', 'on-hold', 'failed']),
    transaction: '',
    reference: dice.pick([...plain, ...plain, ...spelled]),
    ...over,
    fields: { customer_id: isGuest ? 0 : id, billing: { email: `c${id}@customer.example` }, ...over.fields },
  };
}

function weighted(dice: Dice): Law {
  let left = dice.next() * laws.reduce((sum, { weight }) => sum + weight, 0);
  for (const law of laws) {
    left -= law.weight;
    if (left < 0) return law;
  }
  return laws[0] as Law;
}

/** The lives of that many orders within a year before `now`, from `firstId` on; some bring another order. */
export function livesOf(seed: number, count: number, firstId: number, now: number): Life[] {
  const dice = createDice(seed);
  return Array.from({ length: count }, (_, index) => index).flatMap((index) => {
    const law = weighted(dice);
    const gateway = dice.pick(law.gateways);
    const id = firstId + index;
    const order = newOrder(dice, id, gateway, law.order?.(dice, id, gateway) ?? {});
    let used = 0;
    const about: About = { order, dice, next: () => ++used, claims: {}, isNamed: true, ...law.about?.(order) };
    const voice = voices[gateway];
    const at = Math.floor(now / 1000) * 1000 - dice.between(330, 364) * days;
    const written = law.write({ order, about, voice, at, dice });
    const aside = dice.chance(0.1) ? voice.aside(about, at) : [];
    const steps = stepsOf(dice, { ...written, webhooks: [...written.webhooks, ...aside] });
    const life: Life = { law: law.name, gateway, order, isLate: written.isLate ?? false, steps };
    const other = law.bystander?.(order);
    return other ? [life, { ...life, order: other, isLate: false, steps: [] }] : [life];
  });
}

/** As the shop is given it. */
export function fieldsOf({
  number,
  key,
  total,
  currency,
  status,
  transaction,
  fields,
}: PlannedOrder): Record<string, unknown> {
  return {
    number,
    order_key: key,
    total: decimalText(total, currency),
    currency,
    status,
    transaction_id: transaction,
    ...fields,
  };
}
