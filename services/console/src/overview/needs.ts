import { senderText } from '../log/words';
import { distanceText, plural, sentence } from '../shell/format';
import type { Query } from '../shell/match';
import type { Body } from '../shell/session';

export type Overview = Body<'GET /v1/overview'>;
type Gateway = Body<'GET /v1/webhooks/gateways'>['gateways'][string];
/** A gateway or a connection, as the lists of both have it. */
export type Sender = Pick<Gateway, 'name' | 'last_event_at' | 'last_refusal'> & {
  readonly title: string;
  readonly inUse: boolean;
};

/** Something that stays as it is until a person acts: what its button says, and the page of the cure. */
export type Need = { readonly text: string; readonly cure: string; readonly path: string; readonly query: Query };

const need = (text: string, cure: string, path: string, query: Query = {}): Need => ({ text, cure, path, query });
const when = (count: number | null | undefined, make: (count: number) => Need): Need[] =>
  (count ?? 0) > 0 ? [make(count ?? 0)] : [];

/** Milliseconds: how long an event may be in evaluation, and how long a refusal is news. */
const longEvaluation = 10 * 60_000;
const recent = 24 * 60 * 60_000;

/** Everything that needs a person now, the most urgent first. `now` in milliseconds since the epoch. */
export function needsOf(seen: Overview, senders: readonly Sender[], now: number): Need[] {
  const problems = seen.shop?.problems ?? [];
  const warned = (isUrgent: boolean) =>
    seen.warnings
      .filter(({ about }) => (about === 'intake') === isUrgent)
      .map(({ about, text }) =>
        about === 'licence'
          ? need(text, 'See the licence', '/settings', { part: 'licence' })
          : need(text, 'See connections', '/connections'),
      );
  return [
    ...warned(true),
    ...problems.map((text) =>
      need(`The shop is unavailable: ${text}`, 'Check the shop', '/settings', { part: 'shop' }),
    ),
    ...eventNeeds(seen, now),
    ...deliveryNeeds(seen, now),
    ...moneyNeeds(seen),
    ...senderNeeds(seen, senders, now),
    ...logNeeds(seen),
    ...warned(false),
  ];
}

function eventNeeds({ events, dead_letters, webhooks_missed }: Overview, now: number): Need[] {
  const { total = 0, since = null } = events?.unfinished ?? {};
  const isSlow = since !== null && now - Date.parse(since) > longEvaluation;
  const oldest = since === null ? '' : distanceText(since, now);
  const seeThem = (text: string, state: string) => need(text, 'See these events', '/events', { state });
  return [
    ...when(webhooks_missed, (count) => {
      const text = `${plural(count, 'webhook')} could not be stored. Ask the gateway to send what is missing again.`;
      return need(text, 'See connections', '/connections');
    }),
    ...when(dead_letters.events, (count) => {
      const text = `${plural(count, 'event was', 'events were')} given up after several tries.`;
      return need(text, 'See why and replay', '/events', { state: 'dead' });
    }),
    ...when(isSlow ? total : 0, (count) => {
      const text = `${plural(count, 'event is', 'events are')} not evaluated yet. The oldest arrived ${oldest}.`;
      return seeThem(text, 'accepted');
    }),
    ...when(events?.waiting_long, (count) => {
      const waited = plural(count, 'event has', 'events have');
      return seeThem(`${waited} waited for more than an hour for an order that the shop does not have.`, 'waiting');
    }),
  ];
}

function deliveryNeeds({ deliveries, dead_letters }: Overview, now: number): Need[] {
  const stuck = (deliveries?.stuck.hosts ?? []).map(({ host, total, since }) => {
    const many = `${plural(total, 'stuck delivery', 'stuck deliveries')}, the oldest created ${distanceText(since, now)}`;
    return need(`${host} does not accept deliveries: ${many}.`, 'See deliveries', '/deliveries', { state: 'pending' });
  });
  const failed = when(dead_letters.deliveries, (count) => {
    const text = `${plural(count, 'e-mail or call', 'e-mails and calls')} could not be delivered.`;
    return need(text, 'See why and send again', '/deliveries', { state: 'failed' });
  });
  return [...stuck, ...failed];
}

/** The newest by their sentences, and how many more there are. */
function moneyNeeds({ money }: Overview): Need[] {
  const findings = money?.findings ?? [];
  const more = (money?.total ?? 0) - new Set(findings.map(({ order_id }) => order_id)).size;
  return [
    ...findings.map(({ order_id, text, cure }) => need(`${text} ${cure}`, 'See the order', `/orders/${order_id}`)),
    ...when(more, (count) => {
      const orders = plural(count, 'further order does', 'further orders do');
      const query = { view: 'flat', event_type: 'money_alarm' };
      return need(`${orders} not agree with the money that was paid.`, 'See them in the log', '/log', query);
    }),
  ];
}

function senderNeeds({ events }: Overview, senders: readonly Sender[], now: number): Need[] {
  const held = (events?.held.senders ?? []).map(({ sender, total }) => {
    const name = sender.replace(/^generic\//, '');
    const title = senders.find((one) => one.name === name)?.title ?? sentence(senderText(name));
    return need(`${title} is paused: ${plural(total, 'event')} held until you resume it.`, 'Resume it', '/connections');
  });
  const refused = senders.flatMap(({ title, inUse, last_refusal, last_event_at }) => {
    if (!inUse || !last_refusal || last_refusal.at <= (last_event_at ?? '')) return [];
    const text = `The last webhook from ${title} was refused: ${last_refusal.text}`;
    return now - Date.parse(last_refusal.at) < recent ? [need(text, 'Check the connection', '/connections')] : [];
  });
  return [...held, ...refused];
}

const mismatchTypes = 'process_completed,order_ambiguous,payment_partial,refund_failed';

/** What the log of the last day has, each with the entries themselves. */
function logNeeds({ last_day }: Overview): Need[] {
  if (last_day === null) return [];
  const { since: date_from, late_payments, mismatches, signed_refused } = last_day;
  const inLog = (text: string, cure: string, event_type: string, status = '') =>
    need(text, cure, '/log', { view: 'flat', event_type, status, date_from });
  return [
    ...when(signed_refused.total, (count) => {
      const text = `${plural(count, 'webhook was', 'webhooks were')} refused in the last day although the signature was right`;
      return inLog(`${text}: ${signed_refused.latest ?? 'see the log'}`, 'See what was refused', 'webhook_rejected');
    }),
    ...when(late_payments, (count) => {
      const orders = count === 1 ? 'an order that does' : 'orders that do';
      const text = `${plural(count, 'payment')} came in the last day for ${orders} not await one. Give the money back, or reopen the order.`;
      return inLog(text, 'See the payments', 'late_payment', 'warning');
    }),
    ...when(mismatches, (count) => {
      const text = `${plural(count, 'payment or refund', 'payments and refunds')} of the last day ${count === 1 ? 'needs' : 'need'} a look: the amount or the order does not fit, or an action or the refund failed.`;
      return inLog(text, 'Compare with the order', mismatchTypes, 'warning');
    }),
  ];
}
