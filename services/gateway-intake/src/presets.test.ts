import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReceivedWebhook } from '@order-automation/contracts';
import { newId } from '@order-automation/contracts';
import { digest, sampleBody } from '../test/preset-vectors';
import type { Connection } from './gateways/connection';
import { genericAdapter } from './gateways/generic/adapter';
import { valueAt } from './gateways/generic/fields';
import { type PresetFile, presetOf, presets } from './presets';
import { inspect } from './receiving/inspect';

const adapter = genericAdapter({ requireConnection: true, hasConnections: () => true });
const reading = { order_reference: 'auto', order_prefix: null } as const;
type Vector = NonNullable<PresetFile['vector']>;
type Sent = Pick<Vector, 'headers' | 'body' | 'now'>;

/** The connection that the preset makes. */
function connectionOf({ settings = {}, vector }: PresetFile, secret = vector?.secret ?? ''): Connection {
  const { auth_method = 'hmac', hmac_header = 'x-signature', encoding = 'hex', prefix = '' } = settings;
  const { paths = {}, amount_unit = 'major' } = settings;
  return {
    ...settings,
    auth_method,
    hmac_header,
    encoding,
    prefix,
    amount_unit,
    name: 'sender',
    enabled: true,
    paths: paths as Connection['paths'],
    ...(vector?.url !== undefined && { signed_url: vector.url }),
    reading,
    secrets: [{ value: secret, expiresAt: null }],
  };
}

function judge(connection: Connection, { headers, body, now }: Sent) {
  const webhook: ReceivedWebhook = {
    process_id: newId('evt', now),
    gateway: 'generic',
    connection: connection.name,
    received_at: new Date(now).toISOString(),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    body: Buffer.from(body),
    refused: null,
    client: '192.0.2.1',
  } as never;
  const inspector = {
    router: { adapterFor: () => adapter },
    connections: { byName: () => connection, all: () => [connection] },
    readingOf: () => undefined,
    secretUses: { note: () => undefined },
    onFailure: (error: unknown) => {
      throw error;
    },
  } as never;
  const inspection = inspect(inspector, webhook, { now });
  if (inspection instanceof Promise) throw new Error('the proof of a connection is settled at once');
  return inspection;
}

const outcome = (connection: Connection, sent: Sent): string => {
  const inspection = judge(connection, sent);
  return inspection.kind === 'refused' ? inspection.refusal.code : inspection.kind;
};

const connecting = [...presets.values()].filter(({ gateway }) => gateway === undefined);

test('there are at least thirty, each with an event and a vector unless its gateway is built in', () => {
  expect(presets.size).toBeGreaterThanOrEqual(30);
  for (const [id, preset] of presets) {
    expect(preset.id).toBe(id);
    expect(Boolean(preset.settings && preset.sample && preset.vector)).toBe(preset.gateway === undefined);
  }
  const guide = readFileSync(join(__dirname, '../../../docs/guide/senders.md'), 'utf8');
  const isInGuide = (id: string) => guide.includes(`| \`${id}\` |`);
  expect([...presets.keys()].filter((id) => !isInGuide(id))).toEqual([]);
  expect(() => presetOf('stripe')).toThrow();
  expect(() => presetOf('nobody')).toThrow();
});

/** Of what nobody has chosen at the sender nothing is ever sent, and a rule on refunds stays silent. */
test.each(connecting)(
  '$id: steps that name events to choose name those of refunds and disputes, where it reads them',
  ({ steps, settings: { types = {} } = {} }) => {
    const text = steps.filter((step) => /\b(?:choose|scopes)\b/i.test(step)).join(' ');
    const namesEvents = Object.keys(types).some((type) => text.includes(type));
    const wanted = { payment_refunded: /refund/i, dispute_opened: /dispute|charge_?back|statusUpdated/i };
    const meanings = Object.values(types);
    for (const [meaning, word] of Object.entries(wanted))
      if (namesEvents && meanings.some((one) => one === meaning)) expect(text).toMatch(word);
  },
);

// docs.stripe.com/webhooks, developer.paypal.com/api/rest/webhooks/rest: an endpoint is sent what is chosen for it alone; WooCommerce has one topic a webhook
test('steps for gateways that are built in say what to choose', () => {
  const steps = (id: string) => presets.get(id)?.steps.join(' ') ?? '';
  for (const id of ['stripe', 'paypal'])
    expect(steps(id)).toMatch(/choose the events .*refund.*dispute.*subscription/i);
  expect(steps('woocommerce')).toMatch(/Order created.*Order updated.*Order deleted/);
});

// "late_failure_settled", developer.gocardless.com/api-reference, events of payments: it "has been debited from a payout", as a chargeback is
test('GoCardless: a payment that fails after it was paid out is money that was taken back', () => {
  const { types } = presets.get('gocardless')?.settings ?? {};
  expect(types?.['payments.late_failure_settled']).toBe(types?.['payments.charged_back']);
});

// `"resolution": "auto-accepted"`, `"transaction": {"status": "reversed"}`: github.com/PaystackOSS/doc-code-snippets, src/doc/payments/webhooks/events/charge-dispute-resolve.json
test('Paystack: a dispute that nobody answers in time is lost, as one that is accepted', () => {
  const { types } = presets.get('paystack')?.settings ?? {};
  const of = (resolution: string) => types?.[`charge.dispute.resolve.${resolution}`];
  expect([of('auto-accepted'), of('merchant-accepted')]).toEqual(['dispute_lost', 'dispute_lost']);
});

describe.each(connecting.map((preset) => [preset.id, preset] as const))('%s', (_id, preset) => {
  const { vector, sample } = preset;
  if (!vector || !sample) throw new Error('it has a sample and a vector');
  const connection = connectionOf(preset);
  const isInHeader = ['bearer', 'token', 'basic'].includes(connection.auth_method);

  test('its vector is accepted, and what differs from it is not', () => {
    expect(outcome(connection, vector)).toBe('accepted');
    const others = { hmac: /./g, standard_webhooks: /./g, bearer: /./g, token: /./g, basic: /[^:]/g, none: /./g };
    const other =
      connection.auth_method === 'standard_webhooks'
        ? `whsec_${Buffer.alloc(24, 1).toString('base64')}`
        : vector.secret.replace(others[connection.auth_method], '1');
    expect(outcome(connectionOf(preset, other), vector)).toMatch(/signature_mismatch|token_mismatch/);
    expect(outcome(connection, { ...vector, headers: {}, body: vector.body.replace('hmacSignature', 'none') })).toBe(
      'signature_missing',
    );
    if (isInHeader) return;
    const changed = vector.body.replace(/1010|TestPayment-1407325143704/g, '1011');
    expect(changed).not.toBe(vector.body);
    expect(outcome(connection, { ...vector, body: changed })).toBe('signature_mismatch');
    const later = outcome(connection, { ...vector, now: vector.now + 3_600_000 });
    const isTimed = connection.auth_method === 'standard_webhooks' || preset.settings?.signed?.includes('{timestamp}');
    expect(later).toBe(isTimed ? 'signature_expired' : 'accepted');
  });

  if (connection.auth_method === 'hmac')
    test('its digest is the one that its description gives', () => {
      const path = preset.settings?.signature_path;
      const sent = path ? valueAt(JSON.parse(vector.body), path) : vector.headers[connection.hmac_header];
      expect(String(sent)).toContain(digest(preset, vector));
    });

  test('its sample is read as it says, and a copy of it has the same key', () => {
    const body = sampleBody(sample, 1010);
    const open = { ...connection, auth_method: 'none' } as const;
    const read = () => {
      const inspection = judge(open, { headers: sample.headers, body, now: vector.now });
      if (inspection.kind === 'refused') throw new Error(inspection.refusal.text);
      expect(inspection.events).toHaveLength(1);
      return inspection.events[0];
    };
    const event = read();
    const { type, transaction, amount, currency } = sample.reads;
    expect(event).toMatchObject({ genericType: type, transactionID: transaction, amount, currency });
    expect(event?.orderReference.order_id).toBe('1010');
    expect(read()?.idempotencyKey).toBe(event?.idempotencyKey);
  });
});

// An invoice names no payment since basil, nor a payment its invoice (docs.stripe.com/changelog/basil); this event alone links them, so that a refund or a dispute finds its order.
// "We typically recommend listening to invoice.paid": docs.stripe.com/invoicing/integration#handle-payment-events
test('the steps of Stripe name the events that subscriptions and invoices want', () => {
  const steps = presets.get('stripe')?.steps.join(' ');
  expect(steps).toContain('invoice.paid, invoice_payment.paid, invoice.payment_failed');
});
