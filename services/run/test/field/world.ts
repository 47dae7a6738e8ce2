import { waitFor } from '@order-automation/testing';
import { type PresetFile, presets } from '../../../gateway-intake/src/presets';
import { type Answer, type Entry, processLog, type Running } from '../products';
import { cardEvent, connectionSecret, type Senders, walletEvent } from './senders';

type OrderView = { status: string; notes: { note: string }[] };

/** How an order stands in the end: its status, and what our rules noted on it. */
export type Ending = readonly [status: string, ...notes: string[]];

/** What a case does to the product; each webhook is awaited to its end, or until the event waits. */
export type World = {
  /** `more` are fields of the event itself. */
  card(type: string, object: object, created?: number, more?: object): Promise<readonly Entry[]>;
  wallet(type: string, kind: string, resource: object, at?: Date): Promise<readonly Entry[]>;
  ipn(fields: Readonly<Record<string, string>>): Promise<readonly Entry[]>;
  generic(connection: string, payload: unknown): Promise<readonly Entry[]>;
  /** An event as the sender of a preset sends it, with its headers, signed as ours are. */
  preset(id: string, payload: unknown, headers: Readonly<Record<string, string>>): Promise<readonly Entry[]>;
  /** Creates the order, or changes these fields of it. */
  save(id: number, fields: object): Promise<void>;
  ending(id: number): Promise<Ending>;
};

/** Rules that mark an order with what they understood. */
const marks: readonly (readonly [note: string, trigger: string, settings: object, primary: string | null])[] = [
  ['PAID', 'order_processing', {}, 'change_status_to_completed'],
  ['REFUND', 'refund_created', {}, null],
  ['DISPUTE', 'dispute_opened', {}, 'change_status_to_on_hold'],
  ['RENEWAL', 'subscription_renewal', {}, null],
  ['NOT RENEWED', 'subscription_renewal', { outcomes: ['failed'] }, null],
  ['FAILED', 'payment_failed', {}, null],
  ['CANCELLED', 'webhook_event', { event_types: ['payment_cancelled'] }, null],
  ['LOST', 'webhook_event', { event_types: ['dispute_lost'] }, null],
  ['WON', 'webhook_event', { event_types: ['dispute_won'] }, null],
  ['RESOLVED', 'webhook_event', { event_types: ['dispute_resolved'] }, null],
  ['ENDED', 'subscription_cancelled', {}, null],
  ['UPDATED', 'webhook_event', { event_types: ['order_updated'] }, null],
  ['ASYNC', 'webhook_event', { event_types: ['payment.card.checkout_session_async_payment_succeeded'] }, null],
  ['INVOICE', 'webhook_event', { event_types: ['invoice.paid'] }, null],
];

const connections: Readonly<Record<string, object>> = {
  plain: {},
  numbers: { order_reference: 'number' },
  ids: { order_reference: 'id' },
  prefixed: { order_prefix: 'SHOP/' },
  minor: {
    amount_unit: 'minor',
    paths: { type: '/status', order: '/reference', amount: '/amount', currency: '/currencyCode', transaction: '/psp' },
  },
  adyen: {
    amount_unit: 'minor',
    paths: {
      type: '/notificationItems/0/NotificationRequestItem/eventCode',
      order: '/notificationItems/0/NotificationRequestItem/merchantReference',
      transaction: '/notificationItems/0/NotificationRequestItem/pspReference',
      amount: '/notificationItems/0/NotificationRequestItem/amount/value',
      currency: '/notificationItems/0/NotificationRequestItem/amount/currency',
      success: '/notificationItems/0/NotificationRequestItem/success',
    },
  },
};

/** How the events of a sender are read by its preset, signed as ours are. */
function presetOf({ settings = {} }: PresetFile): object {
  const { types, paths, amount_unit, decimals, order_prefix } = settings;
  return { types, paths, amount_unit, decimals, order_prefix };
}

/** Several events in one body. */
const batches = {
  paths: {
    type: '/events/*/action',
    event: '/events/*/id',
    transaction: '/events/*/links/payment',
    order: '/events/*/resource_metadata/order_id',
  },
};

export async function openWorld(running: Running, senders: Senders): Promise<World> {
  const { client } = running;
  const { rules } = await client<{ rules: { id: number }[] }>('GET', '/v1/rules?per_page=200');
  for (const { id } of rules) await client('DELETE', `/v1/rules/${id}`);
  for (const [name, trigger, settings, primary] of marks) {
    const note = { id: 'add_order_note', settings: { note_text: name } };
    const primaryAction = primary && { id: primary, settings: {} };
    const rule = { trigger: { id: trigger, settings }, conditions: [], primaryAction, secondaryActions: [note] };
    await client('POST', '/v1/rules', { name, enabled: true, rule });
  }
  const byPreset = [...presets].map(([id, preset]) => [`as-${id}`, presetOf(preset)] as const);
  for (const [name, fields] of [...Object.entries({ ...connections, batches }), ...byPreset])
    await client('POST', '/v1/webhooks', { name, auth_method: 'hmac', secret: connectionSecret, ...fields });

  const names = new Set(marks.map(([name]) => name));
  const ended = async ({ process_id, success, message }: Answer): Promise<readonly Entry[]> => {
    if (!success) throw new Error(`the webhook was refused: ${message}`);
    const path = `/v1/webhooks/events?process_id=${process_id}`;
    await waitFor(
      async () => {
        const { events } = await client<{ events: { state: string }[] }>('GET', path);
        return events.length > 0 && events.every(({ state }) => ['done', 'waiting', 'dead', 'refused'].includes(state));
      },
      { describe: `the end of ${process_id}` },
    );
    return processLog(running, process_id);
  };
  return {
    card: async (type, object, created, more) =>
      ended(await senders.card(running, cardEvent(type, object, created, more))),
    wallet: async (type, kind, resource, at) =>
      ended(await senders.wallet(running, walletEvent(type, kind, resource, at))),
    ipn: async (fields) => ended(await senders.ipn(running, fields)),
    generic: async (connection, payload) => ended(await senders.generic(running, connection, payload)),
    preset: async (id, payload, headers) => ended(await senders.generic(running, `as-${id}`, payload, headers)),
    save: (id, fields) => client('PUT', `/v1/shop/orders/${id}`, fields),
    ending: async (id) => {
      const { status, notes } = await client<OrderView>('GET', `/v1/shop/orders/${id}`);
      const ours = notes.map(({ note }) => note.replace(/ \(.*$/s, '')).filter((note) => names.has(note));
      return [status, ...ours.sort()];
    },
  };
}
