import { createHmac } from 'node:crypto';
import { newProcessId, type ReceivedWebhook, universalEventSchema } from '@order-automation/contracts';
import type { GatewayAdapter } from '../gateways/adapter';
import { cardAdapter } from '../gateways/card/adapter';
import { genericAdapter } from '../gateways/generic/adapter';
import { type Payload, parsePayload } from '../gateways/payload';
import { answerTo, notBelieved, type Refusal } from '../gateways/refusal';
import { type AdapterRouter, createRouter } from '../gateways/router';
import { walletAdapter } from '../gateways/wallet/adapter';
import { rejectedEntry } from '../inbox/entries';
import { type Inspection, inspect } from './inspect';

const key = 'whsec_0123456789abcdef';
const now = 1_760_000_000_000;
const generic = genericAdapter({ requireConnection: false, hasConnections: () => false });
const wallet = walletAdapter({
  webhookId: undefined,
  certificateById: () => undefined,
  certificates: () => 0,
  trust: () => ({ roots: [], subject: '*.example.com' }),
  postBack: undefined,
  receivers: new Set(),
});
const card = cardAdapter({ secrets: () => [{ id: 'sec_1', value: key, expiresAt: null }], mode: 'live' });
const router = createRouter([card, wallet, generic]);

function webhook(overrides: Partial<Omit<ReceivedWebhook, 'body'>> & { body?: string | Buffer } = {}): ReceivedWebhook {
  const { body = '{"type":"payment_completed","order_id":1,"id":"t1"}', ...rest } = overrides;
  return {
    process_id: newProcessId(now),
    gateway: 'generic',
    connection: null,
    headers: {},
    received_at: new Date(now).toISOString(),
    refused: null,
    ...rest,
    body: Buffer.from(body as string),
  };
}

function signed(body: string): ReceivedWebhook {
  const t = now / 1000;
  const v1 = createHmac('sha256', key).update(`${t}.${body}`).digest('hex');
  return webhook({ gateway: 'gateway_card', body, headers: { 'card-signature': [`t=${t},v1=${v1}`] } });
}

const failures: unknown[] = [];
const noted: string[] = [];
const secretUses = { note: (id: string) => void noted.push(id) };
const readingOf = () => undefined;
const look = (one: ReceivedWebhook, by: AdapterRouter = router): Inspection => {
  const connections = { byName: () => undefined, all: () => [] };
  const inspection = inspect(
    { router: by, connections, secretUses, readingOf, onFailure: (error) => failures.push(error) },
    one,
    { now },
  );
  if (inspection instanceof Promise) throw new Error('a promise');
  return inspection;
};
const refusalOf = (one: ReceivedWebhook, by = router) => {
  const inspection = look(one, by);
  return inspection.kind === 'refused' ? inspection.refusal : undefined;
};

describe('refusals that tell the sender nothing', () => {
  it.each([
    ['an unknown gateway', webhook({ gateway: 'gateway_cash' }), 'unknown_gateway'],
    ['a gateway named like a built-in property', webhook({ gateway: '__proto__' }), 'unknown_gateway'],
    ['an unknown connection', webhook({ connection: 'shop-1' }), 'unknown_connection'],
    [
      'a connection on another gateway',
      webhook({ gateway: 'gateway_card', connection: 'shop-1' }),
      'unknown_connection',
    ],
    ['a gateway that is not set up', webhook({ gateway: 'gateway_wallet' }), 'gateway_not_configured'],
    ['no signature', webhook({ gateway: 'gateway_card' }), 'signature_missing'],
    ['no signature and no JSON', webhook({ gateway: 'gateway_card', body: '{' }), 'signature_missing'],
    ['what the edge did not like', webhook({ refused: 'something new' }), 'refused_by_edge'],
  ])('%s', (_name, one, code) => {
    const refusal = refusalOf(one);
    expect(refusal?.code).toBe(code);
    expect(refusal && answerTo(refusal)).toBe(notBelieved);
  });
});

describe('refusals that the sender may read', () => {
  it.each([
    ['an empty body', webhook({ body: '' }), 'empty_body'],
    ['too large a body', webhook({ body: Buffer.alloc(1024 * 1024 + 1, 0x20) }), 'too_large'],
    ['a body that the edge threw away', webhook({ body: '', refused: 'too_large' }), 'too_large'],
    ['a packed body', webhook({ headers: { 'content-encoding': ['gzip'] } }), 'content_encoding'],
    [
      'a body that is packed besides',
      webhook({ headers: { 'content-encoding': ['utf-8', 'gzip'] } }),
      'content_encoding',
    ],
    ['a packed body, said the edge', webhook({ body: '', refused: 'content_encoding' }), 'content_encoding'],
    ['no JSON', webhook({ body: '{' }), 'malformed_json'],
    ['a deep body', webhook({ body: `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}` }), 'too_deep'],
    ['no UTF-8', webhook({ body: Buffer.from([0xc3, 0x28]) }), 'invalid_utf8'],
    ['another shape', signed('{"hello":"world"}'), 'not_an_event'],
  ])('%s', (_name, one, code) => {
    const refusal = refusalOf(one);
    expect(refusal?.code).toBe(code);
    expect(refusal && answerTo(refusal)).toBe(refusal?.text);
  });
});

const keyOf = (inspection: Inspection) =>
  inspection.kind === 'accepted' ? inspection.events[0]?.idempotencyKey : undefined;

describe('accepted webhooks', () => {
  // A character set as Content-Encoding: github.com/strapi/strapi/issues/18062 ("3rd party payment gateway"), github.com/expressjs/body-parser/issues/100
  it.each(['identity', 'UTF-8', 'utf8', ''])('a body of exactly 1 MiB, and %j as encoding', (encoding) => {
    const body = `{"a":"${'x'.repeat(1024 * 1024 - 8)}"}`;
    expect(look(webhook({ body, headers: { 'content-encoding': [encoding] } })).kind).toBe('accepted');
  });

  it('note the secret that proved them, tests excepted', () => {
    const body =
      '{"id":"evt_8","type":"charge.succeeded","data":{"object":{"id":"ch_1","amount":100,"currency":"eur"}}}';
    noted.length = 0;
    look(signed(body));
    expect(noted).toEqual(['sec_1']);
    const connections = { byName: () => undefined, all: () => [] };
    const test = { id: 'test_1', proof: null };
    void inspect({ router, connections, secretUses, readingOf, onFailure: () => undefined }, signed(body), {
      now,
      test,
    });
    look({ ...signed(body), body: Buffer.from(`${body} `) });
    expect(noted).toEqual(['sec_1']);
  });

  it('carry what the contract wants', () => {
    const body =
      '{"id":"evt_9","type":"charge.succeeded","data":{"object":{"id":"ch_1","amount":100,"currency":"eur"}}}';
    const inspection = look(signed(body));
    if (inspection.kind !== 'accepted') throw new Error('refused');
    const [event] = inspection.events;
    expect(universalEventSchema.parse(event)).toMatchObject({
      sourceGateway: 'gateway_card',
      eventType: 'payment.card.charge_succeeded',
      authenticated: true,
      isTest: false,
      idempotencyKey: 'gateway_card:evt_9',
      receivedAt: new Date(now).toISOString(),
    });
    expect(event?.id).toMatch(/^evt_[0-9A-Z]{26}$/);
    const unauthenticated = look(webhook());
    expect(unauthenticated).toMatchObject({ events: [{ authenticated: false, sourceGateway: 'generic' }] });
    // Nobody can spend the key of a genuine event without its body.
    const forged = look(webhook({ body: '{"type":"payment_completed","order_id":1,"id":"t1","more":1}' }));
    expect(keyOf(forged)).not.toBe(keyOf(unauthenticated));
    expect(keyOf(look(webhook()))).toBe(keyOf(unauthenticated));
  });

  it('are never given to another adapter', () => {
    const body = '{"id":"evt_9","type":"charge.succeeded","data":{"object":{"id":"ch_1"}}}';
    expect(look({ ...signed(body), gateway: 'generic' })).toMatchObject({
      kind: 'accepted',
      events: [{ sourceGateway: 'generic', authenticated: false, genericType: 'custom_event' }],
    });
  });
});

describe('adapters of others', () => {
  const custom = (overrides: Partial<GatewayAdapter>) =>
    createRouter([{ ...generic, gateway: 'gateway_custom', ...overrides }]);
  const one = webhook({ gateway: 'gateway_custom' });
  const [event] = generic.normalize({
    connection: null,
    headers: {},
    body: Buffer.from('{}'),
    now,
    payload: {},
    context: { connection: null, otherConnections: () => [], withinRate: true, testProof: null },
  });
  if (!event) throw new Error('no event');

  it('may say true or false', () => {
    expect(look(one, custom({ validateAuthenticity: () => true }))).toMatchObject({
      events: [{ authenticated: true }],
    });
    expect(refusalOf(one, custom({ validateAuthenticity: () => false }))?.code).toBe('not_authentic');
  });

  it('have the payload before the proof too, parsed once; without JSON there is none', () => {
    const parse = jest.fn(({ body }: { body: Buffer }) => parsePayload(body));
    const validateAuthenticity = ({ payload }: { payload?: Payload | undefined }) => payload?.id === 't1';
    expect(look(one, custom({ parse, validateAuthenticity }))).toMatchObject({ events: [{ authenticated: true }] });
    expect(parse).toHaveBeenCalledTimes(1);
    const text = { ...one, body: Buffer.from('hello') };
    expect(refusalOf(text, custom({ validateAuthenticity }))?.code).toBe('not_authentic');
    const proved = refusalOf(text, custom({ validateAuthenticity: () => true }));
    expect(proved).toMatchObject({ code: 'malformed_json', isKnownSender: true });
    expect(refusalOf(text, custom({ validateAuthenticity }))?.isKnownSender).toBeUndefined();
    expect(rejectedEntry('evt_1', text, proved as Refusal).details).toMatchObject({ known_sender: true });
  });

  it('may give several events, each with a key of its own', () => {
    const several = { normalize: () => [event, event], computeIdempotencyKey: () => 'custom:1' };
    const inspection = look(one, custom({ ...several, validateAuthenticity: () => true }));
    expect(inspection).toMatchObject({ events: [{ idempotencyKey: 'custom:1' }, { idempotencyKey: 'custom:1 1' }] });
  });

  it('may not break the contract', () => {
    expect(refusalOf(one, custom({ normalize: () => [] }))?.code).toBe('no_event');
    expect(refusalOf(one, custom({ normalize: () => [{ ...event, eventType: '' }] }))?.code).toBe('invalid_event');
    expect(refusalOf(one, custom({ normalize: () => [{ ...event, occurredAt: 'yesterday' }] }))?.code).toBe(
      'invalid_event',
    );
  });

  it('may take their time, and fail then too', async () => {
    const connections = { byName: () => undefined, all: () => [] };
    const slowly = (adapter: Partial<GatewayAdapter>) =>
      inspect({ router: custom(adapter), connections, secretUses, readingOf, onFailure: () => undefined }, one, {
        now,
      });
    const authentic = slowly({ validateAuthenticity: async () => true });
    expect(await authentic).toMatchObject({
      kind: 'accepted',
      unauthenticated: false,
      events: [{ authenticated: true }],
    });
    const broken = slowly({ validateAuthenticity: () => Promise.reject(new Error('broken')) });
    expect(await broken).toMatchObject({ kind: 'refused', refusal: { code: 'adapter_failed' } });
  });

  it('may object: what is authentic is kept and refused, and leaves the key to another', () => {
    const objection = () => ({ code: 'thin', text: 'thin' });
    const kept = { kind: 'refused', refusal: { code: 'thin' }, keep: { events: [{ authenticated: true }] } };
    const inspection = look(one, custom({ objection, validateAuthenticity: () => true }));
    expect(inspection).toMatchObject(kept);
    expect(look(one, custom({ objection }))).toMatchObject({ kind: 'refused', keep: null });
  });

  it('may throw: the webhook is refused and the error kept for the log', () => {
    failures.length = 0;
    const broken = () => {
      throw new Error('broken');
    };
    expect(refusalOf(one, custom({ normalize: broken }))?.code).toBe('adapter_failed');
    expect(refusalOf(one, custom({ validateAuthenticity: broken }))?.code).toBe('adapter_failed');
    expect(refusalOf(one, custom({ computeIdempotencyKey: () => '' }))?.code).toBe('adapter_failed');
    const numbered = { computeIdempotencyKey: () => undefined as unknown as string };
    expect(refusalOf(one, custom({ ...numbered, validateAuthenticity: () => true }))?.code).toBe('adapter_failed');
    expect(failures).toHaveLength(4);
  });

  it('may have no metadata to show', () => {
    for (const nothing of [[], null, undefined] as unknown as Record<string, string>[])
      expect(look(one, custom({ extractGatewaySpecificMetadata: () => nothing }))).toMatchObject({ metadata: {} });
  });

  it('are registered once, under a name that fits an address', () => {
    expect(() => custom({ displayName: 7 as unknown as string })).toThrow('no text in displayName');
    expect(() => createRouter([{ ...generic, gateway: undefined as unknown as string }])).toThrow('no "gateway"');
    const twice = custom({});
    expect(() => twice.registerAdapter({ ...generic, gateway: 'gateway_custom' })).toThrow('already');
    for (const [name, problem] of [
      ['../x', 'cannot'],
      ['events', 'route'],
    ] as const)
      expect(() => twice.registerAdapter({ ...generic, gateway: name })).toThrow(problem);
    twice.registerAdapter(generic);
    expect(twice.adapters().map(({ gateway }) => gateway)).toEqual(['gateway_custom', 'generic']);
  });
});
