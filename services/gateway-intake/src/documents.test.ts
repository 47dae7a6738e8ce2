import { createHash } from 'node:crypto';
import { newAuditEntrySchema, newProcessId, type ReceivedWebhook } from '@order-automation/contracts';
import { genericAdapter } from './adapters/generic';
import { createRouter } from './adapters/router';
import { bytesOf, documentsOf, duplicateOf, firstPatience, textOf } from './documents';
import { receptionEntry } from './entries';
import type { InboxDocument } from './inbox';
import { inspect } from './inspect';
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

function documentOf(payload: Record<string, unknown> | string): InboxDocument {
  const one = webhook(payload);
  const [document] = documentsOf(one, inspect(router, one, { now, onFailure: () => undefined }), now);
  if (!document) throw new Error('no document');
  return document;
}

describe('an accepted webhook', () => {
  it.each([
    '{"a":1.0,"b":"\\u00e9 é","c":12345678901234567890}',
    '\ufeff{"a":1}',
    ' {"nul":"\\u0000"}\n',
    '{"r":"\ufffd"}',
  ])('keeps %j byte for byte', (text) => {
    const { body } = documentOf(text);
    expect(body && bytesOf(body)).toEqual(Buffer.from(text));
    expect(body?.encoding).toBe('utf8');
  });

  it('keeps other bytes in base64', () => {
    const bytes = Buffer.from([0x61, 0xff, 0x00, 0xc3]);
    const kept = textOf(bytes);
    expect(kept.encoding).toBe('base64');
    expect(bytesOf(kept)).toEqual(bytes);
  });

  it('keeps no header that may be a secret', () => {
    expect(documentOf({}).headers).toEqual({ 'content-type': 'application/json' });
  });

  it('is due when the fast path had its time', () => {
    expect(documentOf({})).toMatchObject({
      state: 'accepted',
      attempts: 0,
      due_at: new Date(now + firstPatience).toISOString(),
    });
  });

  it('is told so that an administrator can read it', () => {
    const document = documentOf({ type: 'refund', order_id: 7, transaction_id: 't1', amount: 5, currency: 'eur' });
    const entry = newAuditEntrySchema.parse(receptionEntry(document));
    expect(entry).toMatchObject({
      status: 'success',
      event_type: 'webhook_received',
      source: 'webhook',
      process_id: document.process_id,
    });
    expect(entry.summary).toBe(`refund from generic accepted (${document._id}, sender not authenticated)`);
    expect(entry.details).toMatchObject({
      event_id: document._id,
      event_type: 'payment_refunded',
      generic_type: 'payment_refunded',
      order_reference: '7',
      transaction_id: 't1',
      amount: '5.00',
      currency: 'EUR',
      authenticated: false,
    });
    expect(receptionEntry({ ...document, state: 'done' })).toEqual(entry);
  });
});

describe('a refused webhook', () => {
  it('keeps nothing of the body but hash and length', () => {
    const document = documentOf(`{"${canaries.card}`);
    expect(document).toMatchObject({
      state: 'refused',
      body: null,
      event: null,
      headers: {},
      body_bytes: 18,
      body_sha256: createHash('sha256').update(`{"${canaries.card}`).digest('hex'),
    });
    const entry = newAuditEntrySchema.parse(receptionEntry(document));
    expect(entry).toMatchObject({
      status: 'error',
      event_type: 'webhook_rejected',
      details: { reason: 'malformed_json', body_bytes: 18 },
    });
    expect(entry.summary).toBe('Webhook for generic refused: The body is not valid JSON.');
  });

  it('claims no hash of a body that the edge threw away', () => {
    const one = { ...webhook(''), refused: 'too_large' };
    const refusal = untrusted('too_large', 'too large');
    expect(documentsOf(one, { kind: 'refused', refusal }, now)).toMatchObject([
      { body_bytes: null, body_sha256: null },
    ]);
  });
});

describe('a duplicate', () => {
  it('belongs to the process of the first and keeps its own in the details', () => {
    const document = documentOf({ type: 'refund', id: 'x' });
    const duplicate = duplicateOf(document, { process_id: 'proc_first' });
    expect(duplicate).toMatchObject({ state: 'duplicate', process_id: 'proc_first', body: null });
    expect(duplicate).toMatchObject({ owed_at: document.due_at });
    expect(duplicate.due_at).toBeUndefined();
    expect(duplicate.key).not.toBe(document.key);
    expect(receptionEntry(duplicate)).toMatchObject({
      status: 'skipped',
      event_type: 'webhook_duplicate',
      process_id: 'proc_first',
      details: { duplicate_process_id: document.process_id },
    });
    expect(receptionEntry(duplicate).uid).not.toBe(receptionEntry(document).uid);
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
      expect(document.state).toBe('accepted');
      for (const one of [document, duplicateOf(document, { process_id: 'proc_1' })]) {
        const text = JSON.stringify(receptionEntry(one));
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
    const document = documentOf(payload);
    expect(document.state).toBe('accepted');
    expect(newAuditEntrySchema.safeParse(receptionEntry(document)).success).toBe(true);
  });
});
