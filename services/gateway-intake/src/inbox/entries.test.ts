import { createHash } from 'node:crypto';
import { newAuditEntrySchema, newProcessId, type ReceivedWebhook } from '@order-automation/contracts';
import { genericAdapter } from '../gateways/generic/adapter';
import { authenticityRefusal } from '../gateways/refusal';
import { createRouter } from '../gateways/router';
import { type Inspection, inspect } from '../receiving/inspect';
import { bodyBytes, firstDelay, type InboxEvent, type InboxState, inboxEvents } from './documents';
import { duplicateEntry, keptRejection, receptionEntry, rejectedEntry } from './entries';

const now = 1_760_000_000_000;
const router = createRouter([genericAdapter({ requireConnection: false, hasConnections: () => false })]);
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

const secretUses = { note: () => undefined };

function inspected(one: ReceivedWebhook): Inspection {
  const connections = { byName: () => undefined, all: () => [] };
  const inspection = inspect(
    { router, connections, secretUses, readingOf: () => undefined, onFailure: () => undefined },
    one,
    { now },
  );
  if (inspection instanceof Promise) throw new Error('a promise');
  return inspection;
}

function documentOf(payload: Record<string, unknown> | string | Buffer, state: InboxState = 'accepted'): InboxEvent {
  const one = webhook(Buffer.isBuffer(payload) ? '{}' : payload);
  const inspection = inspected(one);
  if (inspection.kind === 'refused') throw new Error(inspection.refusal.text);
  const received = Buffer.isBuffer(payload) ? { ...one, body: Uint8Array.from(payload) } : one;
  const [document] = inboxEvents(received, inspection, state, now);
  if (!document) throw new Error('no event');
  return document;
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
    expect(bodyBytes(documentOf(text))).toEqual(Buffer.from(text));
    expect(documentOf(text).webhook.body_bytes).toBe(Buffer.byteLength(text));
  });

  it('keeps what is not UTF-8 byte for byte', () => {
    const bytes = Buffer.from([0x61, 0xe4, 0x00, 0xff]);
    expect(documentOf(bytes)).toMatchObject({ body_encoding: 'base64' });
    expect(bodyBytes(documentOf(bytes))).toEqual(bytes);
  });

  it('keeps no header that may be a secret', () => {
    expect(documentOf({}).webhook.headers).toEqual({ 'content-type': 'application/json' });
  });

  it('is due when the fast path had its time, unless it is held or refused', () => {
    const due_at = new Date(now + firstDelay).toISOString();
    expect(documentOf({ id: 'r1' })).toMatchObject({ state: 'accepted', endpoint: 'generic', due_at, attempts: 0 });
    expect(documentOf({ id: 'r1' }, 'verifying')).toMatchObject({ due_at });
    expect(documentOf({ id: 'r1' }, 'held').due_at).toBeUndefined();
  });

  it('that waits says so', () => {
    expect(receptionEntry(documentOf({}, 'verifying'))).toMatchObject({
      status: 'pending',
      summary: expect.stringContaining('until the wallet confirms it'),
    });
    expect(receptionEntry(documentOf({}, 'held')).summary).toContain('paused');
    const refused = keptRejection(documentOf({}), authenticityRefusal('ipn_invalid', 'The wallet disowns it.'));
    expect(newAuditEntrySchema.parse(refused)).toMatchObject({ status: 'error', details: { reason: 'ipn_invalid' } });
  });

  it('reads as an administrator would write it', () => {
    const document = documentOf({ type: 'refund', order_id: 7, transaction_id: 't1', amount: 5, currency: 'eur' });
    const id = document._id;
    const entry = newAuditEntrySchema.parse(receptionEntry(document));
    expect(entry).toMatchObject({
      status: 'success',
      event_type: 'webhook_received',
      source: 'webhook',
      process_id: document.process_id,
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
    expect(rejectedEntry('evt_1', one, authenticityRefusal('too_large', 'too large')).details).toMatchObject({
      body_bytes: null,
      body_sha256: null,
    });
  });
});

describe('a duplicate', () => {
  it('belongs to the process of the first and keeps its own in the details', () => {
    const document = documentOf({ type: 'refund', id: 'x' });
    const entry = duplicateEntry(document, 'proc_first', 1004);
    expect(entry).toMatchObject({
      uid: `${document._id}:duplicate`,
      status: 'skipped',
      event_type: 'webhook_duplicate',
      process_id: 'proc_first',
      order_id: 1004,
      details: { duplicate_process_id: document.process_id },
    });
  });

  it('has an entry that reads the same when it was stored in between', () => {
    const { details } = duplicateEntry(documentOf({ type: 'refund', id: 'x' }), 'proc_first', 1004);
    expect(JSON.parse(JSON.stringify(details))).toEqual(details);
  });
});

describe('entries', () => {
  it('hold no secrets and no personal data, wherever the payload puts them', () => {
    for (const canary of [canaries.email, canaries.card, canaries.key]) {
      const document = documentOf({
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
      for (const entry of [receptionEntry(document), duplicateEntry(document, 'proc_1', 1004)]) {
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
    expect(newAuditEntrySchema.safeParse(receptionEntry(documentOf(payload))).success).toBe(true);
  });
});
