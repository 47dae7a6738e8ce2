import { distanceText, inWords, plural } from '../shell/format';
import type { Query } from '../shell/match';
import type { Body } from '../shell/session';

export type Overview = Body<'GET /v1/overview'>;
/** A gateway or a connection, as the lists of both have it. */
export type Sender = Pick<
  Body<'GET /v1/webhooks/gateways'>['gateways'][string],
  'name' | 'last_event_at' | 'last_refusal'
> & { readonly title: string; readonly inUse: boolean };

/** Something that stays as it is until a person acts. */
export type Need = {
  readonly text: string;
  readonly bad?: true;
  /** What the button says, and the page of the cure. */
  readonly cure: string;
  readonly path: string;
  readonly query?: Query;
};

/** Milliseconds: how long an event may be in evaluation, and how long a refusal is news. */
const longEvaluation = 10 * 60_000;
const recent = 24 * 60 * 60_000;

/** Everything that needs a person now, the most urgent first. `now` in milliseconds since the epoch. */
export function needsOf(seen: Overview, senders: readonly Sender[], now: number): Need[] {
  return [
    ...(seen.shop?.problems ?? []).map(
      (problem): Need => ({
        text: `The shop is unavailable: ${problem}`,
        bad: true,
        cure: 'Check the shop',
        path: '/settings',
        query: { part: 'shop' },
      }),
    ),
    ...eventNeeds(seen, now),
    ...deliveryNeeds(seen, now),
    ...senderNeeds(seen, senders, now),
    ...paymentNeeds(seen),
    ...seen.warnings.map(
      ({ about, text }): Need =>
        about === 'licence'
          ? { text, cure: 'See the licence', path: '/settings', query: { part: 'licence' } }
          : { text, cure: 'See connections', path: '/connections' },
    ),
  ];
}

const when = (holds: boolean, need: () => Need): Need[] => (holds ? [need()] : []);

function eventNeeds({ events, dead_letters, webhooks_missed }: Overview, now: number): Need[] {
  const { unfinished = { total: 0, since: null }, waiting_long } = events ?? {};
  const { total, since } = unfinished;
  const [dead, waiting] = [dead_letters.events ?? 0, waiting_long ?? 0];
  return [
    ...when(webhooks_missed > 0, () => ({
      text: `${plural(webhooks_missed, 'webhook')} could not be stored. Ask the gateway to send what is missing again.`,
      bad: true,
      cure: 'See connections',
      path: '/connections',
    })),
    ...when(dead > 0, () => ({
      text: `${plural(dead, 'event was', 'events were')} given up after several tries.`,
      bad: true,
      cure: 'See why and replay',
      path: '/dead-letters',
    })),
    ...when(since !== null && now - Date.parse(since) > longEvaluation, () => ({
      text: `${plural(total, 'event is', 'events are')} not evaluated yet. The oldest arrived ${distanceText(since ?? '', now)}.`,
      bad: true,
      cure: 'See these events',
      path: '/dead-letters',
      query: { state: 'accepted' },
    })),
    ...when(waiting > 0, () => ({
      text: `${plural(waiting, 'event has', 'events have')} waited for more than an hour for an order that the shop does not have.`,
      cure: 'See these events',
      path: '/dead-letters',
      query: { state: 'waiting' },
    })),
  ];
}

function deliveryNeeds({ deliveries, dead_letters }: Overview, now: number): Need[] {
  const failed = dead_letters.deliveries ?? 0;
  return [
    ...(deliveries?.stuck.hosts ?? []).map(
      ({ host, total, since }): Need => ({
        text: `${host} does not accept deliveries: ${plural(total, 'stuck delivery', 'stuck deliveries')}, the oldest created ${distanceText(since, now)}.`,
        bad: true,
        cure: 'See deliveries',
        path: '/deliveries',
        query: { state: 'pending' },
      }),
    ),
    ...when(failed > 0, () => ({
      text: `${plural(failed, 'e-mail or call', 'e-mails and calls')} could not be delivered.`,
      bad: true,
      cure: 'See why and send again',
      path: '/deliveries',
      query: { state: 'failed' },
    })),
  ];
}

function senderNeeds({ events, last_day }: Overview, senders: readonly Sender[], now: number): Need[] {
  const titleOf = (sender: string) => {
    const name = sender.replace(/^generic\//, '');
    return senders.find((one) => one.name === name)?.title ?? inWords(name);
  };
  const refused = senders.filter(
    ({ inUse, last_refusal, last_event_at }) =>
      inUse && last_refusal && last_refusal.at > (last_event_at ?? '') && now - Date.parse(last_refusal.at) < recent,
  );
  const { total = 0, latest = null } = last_day?.signed_refused ?? {};
  return [
    ...(events?.held.senders ?? []).map(
      ({ sender, total }): Need => ({
        text: `${titleOf(sender)} is paused: ${plural(total, 'event')} held until you resume it.`,
        cure: 'Resume it',
        path: '/connections',
      }),
    ),
    ...refused.map(
      ({ title, last_refusal }): Need => ({
        text: `The last webhook from ${title} was refused: ${last_refusal?.text}`,
        bad: true,
        cure: 'Check the connection',
        path: '/connections',
      }),
    ),
    ...when(total > 0, () => ({
      text: `${plural(total, 'webhook was', 'webhooks were')} refused in the last day although the signature was right${latest === null ? '.' : `: ${latest}`}`,
      bad: true,
      ...inLog(last_day, 'See what was refused', 'webhook_rejected'),
    })),
  ];
}

function paymentNeeds({ last_day }: Overview): Need[] {
  const { late_payments = 0, mismatches = 0 } = last_day ?? {};
  const kinds = 'process_completed,order_ambiguous,payment_partial,refund_failed';
  return [
    ...when(late_payments > 0, () => ({
      text: `${plural(late_payments, 'payment')} came in the last day for ${late_payments === 1 ? 'an order that is' : 'orders that are'} cancelled or finished.`,
      ...inLog(last_day, 'Refund or reopen', 'late_payment', 'warning'),
    })),
    ...when(mismatches > 0, () => ({
      text: `${plural(mismatches, 'payment or refund does', 'payments and refunds do')} not fit the order: the amount, the order itself or an action needs a look.`,
      ...inLog(last_day, 'Compare with the order', kinds, 'warning'),
    })),
  ];
}

const inLog = (since: Overview['last_day'], cure: string, event_type: string, status?: string) => ({
  cure,
  path: '/log',
  query: { view: 'flat', event_type, ...(status && { status }), ...(since && { date_from: since.since }) },
});
