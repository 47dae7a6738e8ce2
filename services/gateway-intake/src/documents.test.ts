import { createHash } from 'node:crypto';
import { newAuditEntrySchema, newProcessId, type ReceivedWebhook } from '@order-automation/contracts';
import { receivedEntry } from '@order-automation/service';
import { genericAdapter } from './adapters/generic';
import { createRouter } from './adapters/router';
import { inboxDocuments, keptWebhook } from './documents';
import { duplicateEntry, receivedOf, rejectedEntry } from './entries';
import { firstPatience } from './inbox';
import { inspect } from './inspect';
import type { KeptEvent } from './payloads';
import { untrusted } from './refusal';

const now = 1_760_000_000_000;
const router = createRouter([genericAdapter({ requireConnection: false })]);
const canaries = {
  email: 'ada.canary@example.com',
  card: '4242424242424242',
  key: 'sk_live_CANARYCANARY12',
  token: 'canary-token',
};

function webhook(payload: Record<string, unknown> | string): ReceivedWebhook {
  return {
    process_id: newProcessId(now),
    gateway: 'generic',
    connection: null,
    headers: {
      'content-type': ['application/json'],
      authorization: [`Bearer ${canaries.token}`],
      cookie: [canaries.token],
      'x-signature': [canaries.token],
      'x-api-key': [canaries.token],
    },
    body: Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload)),
    received_at: new Date(now).toISOString(),
    refused: null,
  };
}

const inspected = (one: ReceivedWebhook) => inspect(router, one, { now, onFailure: () => undefined });

function keptOf(payload: Record<string, unknown> | string): KeptEvent {
  const one = webhook(payload);
  const inspection = inspected(one);
  if (inspection.kind === 'refused') throw new Error(inspection.refusal.text);
  const kept = keptWebhook(one, inspection);
  const [event] = kept.events;
  if (!event) throw new Error('no event');
  return { event, webhook: kept };
}

function rejectionOf(one: ReceivedWebhook) {
  const inspection = inspected(one);
  if (inspection.kind === 'accepted') throw new Error('not refused');
  return newAuditEntrySchema.parse(rejectedEntry('evt_1', one, inspection.refusal));
}

describe('an accepted webhook', () => {
  it.each([
    '{"a":1.0,"b":"\\u00e9 é","c":12345678901234567890}',
    '\ufeff{"a":1}',
    ' {"nul":"\\u0000"}\n',
    '{"r":"\ufffd"}',
  ])('keeps %j byte for byte', (text) => {
    const inspection = inspected(webhook(text));
    expect(inspection.kind === 'accepted' && Buffer.from(inspection.text)).toEqual(Buffer.from(text));
    expect(keptOf(text).webhook.body_bytes).toBe(Buffer.byteLength(text));
  });

  it('keeps no header that may be a secret', () => {
    expect(keptOf({}).webhook.headers).toEqual({ 'content-type': 'application/json' });
  });

  it('is due when the fast path had its time', () => {
    const kept = keptOf({ type: 'refund', id: 'r1' });
    expect(inboxDocuments([kept], 'evt_first', now)).toEqual([
      {
        _id: kept.event.id,
        key: kept.event.idempotencyKey,
        state: 'accepted',
        process_id: kept.webhook.process_id,
        payload: 'evt_first',
        due_at: new Date(now + firstPatience).toISOString(),
        attempts: 0,
      },
    ]);
  });

  it('is told so that an administrator can read it', () => {
    const kept = keptOf({ type: 'refund', order_id: 7, transaction_id: 't1', amount: 5, currency: 'eur' });
    const { id } = kept.event;
    const entry = newAuditEntrySchema.parse(receivedEntry(receivedOf(kept)));
    expect(entry).toMatchObject({
      status: 'success',
      event_type: 'webhook_received',
      source: 'webhook',
      process_id: kept.webhook.process_id,
      uid: `${id}:received`,
    });
    expect(entry.summary).toBe(`refund from generic accepted (${id}, sender not authenticated)`);
    expect(entry.details).toMatchObject({
      event_id: id,
      event_type: 'payment_refunded',
      generic_type: 'payment_refunded',
      order_reference: '7',
      transaction_id: 't1',
      amount: '5.00',
      currency: 'EUR',
      authenticated: false,
    });
  });
});

describe('a refused webhook', () => {
  it('tells nothing of the body but hash and length', () => {
    const entry = rejectionOf(webhook(`{"${canaries.card}`));
    expect(entry).toMatchObject({
      uid: 'evt_1:rejected',
      status: 'error',
      event_type: 'webhook_rejected',
      details: {
        reason: 'malformed_json',
        body_bytes: 18,
        body_sha256: createHash('sha256').update(`{"${canaries.card}`).digest('hex'),
      },
    });
    expect(entry.summary).toBe('Webhook for generic refused: The body is not valid JSON.');
    expect(JSON.stringify(entry)).not.toContain(canaries.card);
  });

  it('claims no hash of a body that the edge threw away', () => {
    const one = { ...webhook(''), refused: 'too_large' };
    expect(rejectedEntry('evt_1', one, untrusted('too_large', 'too large')).details).toMatchObject({
      body_bytes: null,
      body_sha256: null,
    });
  });
});

describe('a duplicate', () => {
  it('belongs to the process of the first and keeps its own in the details', () => {
    const kept = keptOf({ type: 'refund', id: 'x' });
    const entry = duplicateEntry(kept, 'proc_first');
    expect(entry).toMatchObject({
      uid: `${kept.event.id}:duplicate`,
      status: 'skipped',
      event_type: 'webhook_duplicate',
      process_id: 'proc_first',
      details: { duplicate_process_id: kept.webhook.process_id },
    });
  });

  it('has an entry that reads the same when it was stored in between', () => {
    const { details } = duplicateEntry(keptOf({ type: 'refund', id: 'x' }), 'proc_first');
    expect(Object.values(details)).not.toContain(undefined);
  });
});

describe('entries', () => {
  it('hold no secrets and no personal data, wherever the payload puts them', () => {
    for (const canary of [canaries.email, canaries.card, canaries.key]) {
      const kept = keptOf({
        type: canary,
        event_id: canary,
        order_id: canary,
        transaction_id: `ref ${canary}`,
        status: canary,
        reason: canary,
        currency: 'EUR',
        billing: { email: canary },
        note: canary,
      });
      for (const entry of [receivedEntry(receivedOf(kept)), duplicateEntry(kept, 'proc_1')]) {
        const text = JSON.stringify(entry);
        expect(text).not.toContain(canary);
        expect(text).not.toContain(canaries.token);
      }
    }
  });

  it('fit the contract with the longest fields there are', () => {
    const long = 'x'.repeat(255);
    const payload = {
      type: long.slice(0, 200),
      event_id: long,
      order_id: long,
      transaction_id: long,
      status: long,
      reason: long,
    };
    expect(newAuditEntrySchema.safeParse(receivedEntry(receivedOf(keptOf(payload)))).success).toBe(true);
  });
});
