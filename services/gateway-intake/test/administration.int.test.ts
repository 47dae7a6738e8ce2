import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  paginate,
  type RequestInput,
  type RequestOutput,
  type RequestType,
  ServiceError,
} from '@order-automation/contracts';
import type { Service } from '@order-automation/service';
import { buildOrder, describeLanes, type LaneDeps, type SettableClock, waitFor } from '@order-automation/testing';
import type { ConnectionDocument } from '../src/connections/connections';
import { cardWebhook, genericWebhook, type Peers, receiveOne, running, start, storedEvents } from './intake';

type Created = RequestOutput<'intake.connection.create.v1'>;

/** The published example of an answer. */
function publishedExample<T extends RequestType>(type: T): RequestOutput<T> {
  const file = join(__dirname, `../../../shared/contracts/golden/${type}.json`);
  const [example] = JSON.parse(readFileSync(file, 'utf8')) as { output: RequestOutput<T> }[];
  if (!example) throw new Error(`there is no example of ${type}`);
  return example.output;
}

describeLanes('administering intake', (lane) => {
  let deps: LaneDeps;
  let clock: SettableClock;
  let service: Service;
  let peers: Peers;

  beforeEach(async () => {
    ({ clock, deps, peers, service } = await running(lane));
  });
  afterEach(async () => {
    await service.close();
    await deps.close();
  });

  const create = (name: string, fields: RequestInput<'intake.connection.create.v1'>['fields'] = {}): Promise<Created> =>
    deps.bus.request('intake.connection.create.v1', { name, fields });
  const signed = (secret: string, payload: Record<string, unknown>, connection = 'erp') => {
    const webhook = genericWebhook(payload, { connection });
    const digest = createHmac('sha256', secret).update(webhook.body).digest('hex');
    return { ...webhook, headers: { 'x-signature': [digest] } };
  };
  const send = (secret: string, id: string, connection = 'erp') =>
    receiveOne(deps.bus, signed(secret, { id }, connection));
  const lastReason = async (count: number): Promise<unknown> => {
    const rejected = () => [...peers.entries.values()].filter(({ event_type }) => event_type === 'webhook_rejected');
    await waitFor(() => rejected().length === count);
    return rejected().at(-1)?.details.reason;
  };

  test('a connection believes its secret alone, and the first one ends permissive mode', async () => {
    expect(await receiveOne(deps.bus, genericWebhook({ id: 1 }))).toMatchObject({ success: true });
    const { connection, secret } = await create('erp');
    expect(connection).toMatchObject({ name: 'erp', auth_method: 'hmac', secret_last4: secret?.slice(-4) });
    expect(secret).toHaveLength(43);
    const other = await create('crm');
    expect(await send(secret ?? '', 'a')).toMatchObject({ success: true });
    expect(await send(other.secret ?? '', 'b')).toMatchObject({ success: false });
    expect(await lastReason(1)).toBe('other_connection');
    expect(await send('x'.repeat(43), 'b')).toMatchObject({ success: false });
    expect(await lastReason(2)).toBe('signature_mismatch');
    expect(await receiveOne(deps.bus, genericWebhook({ id: 2 }))).toMatchObject({ success: false });
    expect(await lastReason(3)).toBe('connection_required');
    const { connection: counted } = await deps.bus.request('intake.connection.get.v1', { name: 'erp' });
    expect(counted).toMatchObject({
      counts: { accepted: 1, refused: 2 },
      last_refusal: { code: 'signature_mismatch' },
    });
    const accepted = (await storedEvents(deps))
      .filter(({ endpoint }) => endpoint === 'generic/erp')
      .map(({ event }) => event);
    expect(accepted).toMatchObject([{ authenticated: true }]);
  });

  test('deleting the last connection opens nothing, also after a restart, unless that is asked for', async () => {
    await create('erp');
    const deleted = await deps.bus.request('intake.connection.delete.v1', { name: 'erp' });
    expect(deleted.notice).toContain('/webhooks/generic stays closed');
    expect(await receiveOne(deps.bus, genericWebhook({ id: 1 }))).toMatchObject({ success: false });
    await service.close();
    service = await start(deps);
    expect(await receiveOne(deps.bus, genericWebhook({ id: 1 }))).toMatchObject({ success: false });
    await service.close();
    service = await start(deps, { GENERIC_REQUIRE_CONNECTION: 'false' });
    expect(await receiveOne(deps.bus, genericWebhook({ id: 1 }))).toMatchObject({ success: true });
  });

  test('a secret is any text of 8 to 500 characters, as a token too', async () => {
    const secret = "It's a Secret to Everybody ü";
    await create('erp', { secret });
    expect(await send(secret, 'a')).toMatchObject({ success: true });
    await create('crm', { auth_method: 'bearer', secret });
    const token = Buffer.from(`Bearer ${secret}`).toString('latin1');
    const webhook = { ...genericWebhook({ id: 1 }, { connection: 'crm' }), headers: { authorization: [token] } };
    expect(await receiveOne(deps.bus, webhook)).toMatchObject({ success: true });
    for (const refused of ['1234567', 'x'.repeat(501)])
      await expect(create('shop', { secret: refused })).rejects.toMatchObject({ status: 400 });
    await expect(create('shop', { auth_method: 'bearer', secret: ' 12345678' })).rejects.toMatchObject({ status: 400 });
  });

  // docs/guide/senders.md: where the sender makes the secret, its webhooks are refused until it is added.
  test('by a preset whose sender makes the secret, the secret is missing until it is pasted; other settings make none', async () => {
    const made = await create('shopify', { preset: 'shopify' });
    expect(made).toMatchObject({ secret: null, connection: { secrets: [], secret_last4: null } });
    const change = (fields: RequestInput<'intake.connection.change.v1'>['fields']) =>
      deps.bus.request('intake.connection.change.v1', { name: 'shopify', fields });
    expect(await change({ amount_unit: 'minor' })).toMatchObject({ secret: null, connection: { secrets: [] } });
    const { connection } = await change({ secret: 'of the shop itself' });
    expect(connection).toMatchObject({ secret_last4: 'self', secrets: [{ last4: 'self' }] });
    expect((await create('zapier', { preset: 'zapier' })).secret).not.toBeNull();
  });

  test('secrets are encrypted at rest, and shown once', async () => {
    const { secret } = await create('erp');
    const documents = await deps.store.collection<ConnectionDocument>('connections');
    const stored = JSON.stringify(await documents.find({}).toArray());
    expect(stored).not.toContain(secret);
    expect(JSON.stringify(await deps.bus.request('intake.connection.list.v1', {}))).not.toContain(secret);
  });

  test('a new key re-encrypts what the old one encrypted, and the old one is not needed any more', async () => {
    const [older, newer] = [7, 8].map((byte) => Buffer.alloc(32, byte).toString('base64'));
    const { secret } = await create('erp');
    await service.close();
    service = await start(deps, { SECRET_KEY: `${newer} ${older}` });
    await service.close();
    service = await start(deps, { SECRET_KEY: newer ?? '' });
    expect(await send(secret ?? '', 'a')).toMatchObject({ success: true });
  });

  test('a rotated secret counts until the overlap is over', async () => {
    const { secret: first } = await create('erp');
    const { secret: second } = await deps.bus.request('intake.connection.rotate.v1', {
      name: 'erp',
      overlap_hours: 0.5,
    });
    const half = 1_800_000;
    expect([(await send(first ?? '', 'a')).success, (await send(second ?? '', 'b')).success]).toEqual([true, true]);
    clock.advance(half - 1);
    expect((await send(first ?? '', 'c')).success).toBe(true);
    clock.advance(2);
    expect((await send(first ?? '', 'd')).success).toBe(false);
    expect(await lastReason(1)).toBe('secret_expired');
    expect((await send(second ?? '', 'e')).success).toBe(true);
  });

  test.each([
    ['gateway_card', {}],
    ['events', {}],
    ['erp', { secret: 'short' }],
    ['erp', { secret: '' }],
    ['erp', { hmac_header: 'Authorization' }],
    ['erp', { auth_method: 'none' as const, secret: 'x'.repeat(20) }],
    ['erp', { auth_method: 'standard_webhooks' as const, secret: 'whsec_!!!!!!!!!!!!!!!!' }],
    ['erp', { auth_method: 'standard_webhooks' as const, public_key: 'whpk_AAAA' }],
    ['erp', { public_key: `whpk_${Buffer.alloc(32).toString('base64')}` }],
  ])('%s with %j is refused', async (name, fields) => {
    await expect(create(name, fields)).rejects.toMatchObject({ status: 400, code: 'rest_invalid_param' });
    expect((await deps.bus.request('intake.connection.list.v1', {})).connections).toEqual([]);
  });

  test('a connection is changed, disabled and deleted', async () => {
    const { secret } = await create('erp');
    const change = (fields: RequestInput<'intake.connection.change.v1'>['fields']) =>
      deps.bus.request('intake.connection.change.v1', { name: 'erp', fields });
    expect(await change({ enabled: false })).toMatchObject({ connection: { enabled: false }, secret: null });
    expect((await send(secret ?? '', 'a')).success).toBe(false);
    expect(await lastReason(1)).toBe('connection_disabled');
    const bearer = await change({ enabled: true, auth_method: 'bearer' });
    expect(bearer.secret).not.toBe(secret);
    const headers = { authorization: [`Bearer ${bearer.secret}`] };
    expect(await receiveOne(deps.bus, genericWebhook({ id: 'b' }, { connection: 'erp', headers }))).toMatchObject({
      success: true,
    });
    await deps.bus.request('intake.connection.delete.v1', { name: 'erp' });
    await expect(deps.bus.request('intake.connection.get.v1', { name: 'erp' })).rejects.toMatchObject({ status: 404 });
    expect((await send(secret ?? '', 'c')).success).toBe(false);
  });

  test('while a gateway is paused its webhooks are stored, and evaluated when it is resumed', async () => {
    const pause = (paused: boolean) => deps.bus.request('intake.gateway.pause.v1', { gateway: 'gateway_card', paused });
    await pause(true);
    const reception = await receiveOne(deps.bus, cardWebhook('evt_1', clock.now()));
    expect(reception).toMatchObject({ success: true, message: expect.stringContaining('resumed') });
    expect(await receiveOne(deps.bus, genericWebhook({ id: 'x' }))).toMatchObject({ message: '1 event processed' });
    await waitFor(() => peers.events.length === 1);
    expect((await deps.bus.request('intake.gateway.list.v1', {})).gateways[0]).toMatchObject({ status: 'paused' });
    expect(await pause(false)).toEqual({ gateway: 'gateway_card', paused: false, released: 1 });
    await waitFor(() => peers.events.some(({ process_id }) => process_id === reception.process_id));
    await expect(deps.bus.request('intake.gateway.pause.v1', { gateway: 'x', paused: true })).rejects.toMatchObject({
      status: 404,
    });
  });

  test('a dead letter is listed with its reason, and replayed as an event of its own', async () => {
    const { process_id } = await receiveOne(deps.bus, cardWebhook('evt_1', clock.now()));
    const { data } = await waitFor(() => peers.events[0]);
    await peers.finish(data.event.id, { outcome: 'dead', order_id: 42, reason: 'The shop failed.' });
    const letters = await waitFor(async () => {
      const found = await deps.bus.request('intake.dead-letter.list.v1', { page: 1, per_page: 20 });
      return found.dead_letters.length === 1 && found;
    });
    const reason = 'The shop failed.';
    expect(letters.dead_letters[0]).toMatchObject({
      id: data.event.id,
      state: 'dead',
      order_id: 42,
      process_id,
      reason,
    });
    expect(letters.reasons).toEqual([{ reason, count: 1 }]);
    const filter = { state: 'dead' as const };
    const preview = await deps.bus.request('intake.events.replay.v1', { filter, preview: true });
    expect(preview).toMatchObject({ matching: 1, replayed: 0 });
    const replayed = await deps.bus.request('intake.event.replay.v1', { id: data.event.id });
    const again = await waitFor(() => peers.events.find(({ data: { event } }) => event.id === replayed.replay_id));
    expect(again.data.event).toEqual({ ...data.event, id: replayed.replay_id });
    expect(again.process_id).toBe(replayed.process_id);
    const { dead_letters } = await deps.bus.request('intake.dead-letter.list.v1', { page: 1, per_page: 20 });
    expect(dead_letters).toEqual([]);
    await expect(deps.bus.request('intake.event.replay.v1', { id: replayed.replay_id })).rejects.toMatchObject({
      status: 409,
    });
    await expect(deps.bus.request('intake.event.replay.v1', { id: 'evt_0' })).rejects.toMatchObject({ status: 404 });
  });

  test('one event shows its payload without what is secret or personal', async () => {
    await deps.bus.respond('audit.process.get.v1', async () => {
      throw new ServiceError(404, 'svc_process_not_found', 'No process.');
    });
    const payload = {
      id: 'x',
      billing: { email: 'ada@example.com' },
      card: '4242424242424242',
      reason: 'Card 4242424242424242 was declined',
      order_id: 7,
      note: 'hello',
    };
    await receiveOne(deps.bus, genericWebhook(payload));
    const { data } = await waitFor(() => peers.events[0]);
    const shown = await deps.bus.request('intake.event.get.v1', { id: data.event.id });
    expect(shown).toMatchObject({ payload: { note: 'hello', order_id: 7 }, steps: [], event: { state: 'accepted' } });
    expect(JSON.stringify(shown)).not.toMatch(/ada@|424242424242/);
  });

  test('events are listed by what they are', async () => {
    const at = new Date(clock.now()).toISOString();
    await receiveOne(deps.bus, cardWebhook('evt_1', clock.now()));
    const second = await receiveOne(deps.bus, genericWebhook({ type: 'refund', id: 'x' }));
    const list = async (filter: RequestInput<'intake.event.list.v1'>['filter']) =>
      (await deps.bus.request('intake.event.list.v1', { filter, page: 1, per_page: 10 })).events.map(
        ({ event_type }) => event_type,
      );
    const [card, refund] = ['payment.card.payment_intent_succeeded', 'payment_refunded'];
    expect(await list({})).toEqual([refund, card]);
    expect(await list({ gateway: 'gateway_card' })).toEqual([card]);
    expect(await list({ event_type: 'payment_refunded' })).toEqual([refund]);
    // The names that the log and the gateway say; a name with its family is of that family alone.
    for (const event_type of ['payment_intent.succeeded', 'payment_intent_succeeded', card])
      expect(await list({ event_type })).toEqual([card]);
    expect(await list({ event_type: 'payment.wallet.payment_refunded' })).toEqual([]);
    expect(await list({ process_id: second.process_id })).toEqual([refund]);
    expect(await list({ state: 'accepted', from: at })).toEqual([refund, card]);
    expect(await list({ state: 'done' })).toEqual([]);
    expect(await list({ to: new Date(clock.now() - 60_000).toISOString() })).toEqual([]);
  });

  test('names of events that neither an adapter nor a webhook has brought are unknown', async () => {
    const unknown = async (...event_types: string[]) =>
      (await deps.bus.request('intake.event-type.check.v1', { event_types })).unknown;
    const known = ['charge.failed', 'CHARGE.FAILED', 'payment.card.charge_failed', 'PAYMENT.CAPTURE.COMPLETED'];
    expect(await unknown(...known, 'invoice.paid', 'Stock Low')).toEqual(['invoice.paid', 'Stock Low']);
    expect(
      await receiveOne(deps.bus, cardWebhook('evt_seen', deps.clock.now(), { type: 'invoice.paid' })),
    ).toMatchObject({ success: true });
    await receiveOne(deps.bus, genericWebhook({ type: 'Stock Low', id: 1 }));
    const names = ['invoice.paid', 'Stock Low', 'payment.card.invoice_paid', 'invoice.payed'];
    await waitFor(async () => (await unknown(...names)).length === 1);
    expect(await unknown(...names)).toEqual(['invoice.payed']);
    const types = { 'payment.captured': 'payment_completed' } as const;
    const fields = { auth_method: 'bearer', secret: 'a secret of sixteen', types } as const;
    await deps.bus.request('intake.connection.create.v1', { name: 'mapped', fields });
    const senders = ['gateway_card', 'generic', 'generic/mapped', 'generic/maped', 'gateway_crad'];
    expect(await deps.bus.request('intake.event-type.check.v1', { event_types: [], senders })).toEqual({
      unknown: [],
      unknown_senders: ['generic/maped', 'gateway_crad'],
    });
    expect(await unknown('payment.captured', 'payment.caught')).toEqual(['payment.caught']);
  });

  test('an export is imported as if received, once', async () => {
    const lines = [1, 2].map((number) => Buffer.from(cardWebhook(`evt_${number}`, clock.now()).body).toString());
    await receiveOne(deps.bus, cardWebhook('evt_1', clock.now()));
    const imported = await deps.bus.request('intake.import.v1', {
      gateway: 'gateway_card',
      connection: null,
      lines: [...lines, '{'],
    });
    expect(imported).toEqual({
      accepted: 1,
      duplicates: 1,
      refused: [{ line: 3, reason: 'The body is not valid JSON.' }],
    });
    const event = await waitFor(() => peers.events.find(({ data }) => data.event.channel === 'import'));
    expect(event.data.event).toMatchObject({ idempotencyKey: 'gateway_card:evt_2', authenticated: true });
    expect(await receiveOne(deps.bus, cardWebhook('evt_2', clock.now()))).toMatchObject({ duplicate: true });
  });

  test('a test is signed, received, flagged, and answered when it is evaluated', async () => {
    const order = buildOrder({ id: 7, total: '12.50', currency: 'USD' });
    await deps.bus.respond('shop.order.list.v1', async () => ({ orders: [order], pagination: paginate(1, 1, 1) }));
    const draft = { id: 4, name: 'Complete e-books' };
    await deps.bus.respond('rules.disabled-listeners.v1', async ({ type }) =>
      type === 'payment_completed' ? { rules: [draft], total: 2 } : { rules: [], total: 0 },
    );
    await deps.bus.respond('audit.process.get.v1', async () => publishedExample('audit.process.get.v1'));
    const testing = deps.bus.request(
      'intake.test.send.v1',
      { gateway: 'gateway_card', connection: null, event_type: 'payment_completed', order_id: null, patience: 10_000 },
      { timeout: 15_000 },
    );
    const { data } = await waitFor(() => peers.events[0]);
    expect(data.event).toMatchObject({
      isTest: true,
      authenticated: true,
      amount: '12.50',
      currency: 'USD',
      orderReference: { order_id: '7' },
    });
    await peers.finish(data.event.id, { outcome: 'no_rules', order_id: 7 });
    expect(await testing).toMatchObject({
      success: true,
      event_type: 'payment_intent_succeeded',
      order_id: 7,
      result: 'evaluated',
      outcome: 'no_rules',
      recommendations: [
        'No enabled rule listens to "payment completed"; 2 disabled ones do: "Complete e-books" and 1 more.',
      ],
    });
    for (const event_type of ['charge.refunded', 'payment.card.charge_refunded', 'payment.card.charge.refunded']) {
      const spelled = deps.bus.request(
        'intake.test.send.v1',
        { gateway: 'gateway_card', connection: null, event_type, order_id: null, patience: 100 },
        { timeout: 15_000 },
      );
      expect(await spelled).toMatchObject({ success: false, event_type: 'charge_refunded', result: 'unfinished' });
    }
    await create('erp', { enabled: false });
    const refused = await deps.bus.request('intake.test.send.v1', {
      gateway: 'generic',
      connection: 'erp',
      event_type: 'payment_completed',
      order_id: null,
      patience: 1000,
    });
    expect(refused).toMatchObject({ success: false, result: 'refused', reason: 'The connection is disabled.' });
    const rejected = await waitFor(() =>
      [...peers.entries.values()].find(({ event_type }) => event_type === 'webhook_rejected'),
    );
    expect(rejected).toMatchObject({ is_test: true, process_id: refused.process_id });
    const { connection } = await deps.bus.request('intake.connection.get.v1', { name: 'erp' });
    expect(connection).toMatchObject({ counts: { refused: 0 }, last_refusal: null });
    const inactive = {
      gateway: 'gateway_wallet',
      connection: null,
      event_type: 'payment_completed',
      order_id: null,
      patience: 1000,
    };
    const answered = await deps.bus.request('intake.test.send.v1', { ...inactive, by: 'ada' });
    expect(answered).toMatchObject({ success: false, result: 'refused' });
    expect(answered.recommendations).toEqual([expect.stringContaining('webhook id')]);
    const { event_type: _type, ...untyped } = { ...inactive, patience: 100 };
    for (const [gateway, event_type] of [
      ['gateway_card', 'payment_intent_succeeded'],
      ['gateway_wallet', 'payment_completed'],
      ['generic', 'payment_completed'],
      ['gateway_shop', 'order_created'],
    ] as const)
      expect(await deps.bus.request('intake.test.send.v1', { ...untyped, gateway })).toMatchObject({ event_type });
    await create('stock', {});
    const own = { ...untyped, gateway: 'generic', connection: 'stock', event_type: 'stock.low' };
    expect(await deps.bus.request('intake.test.send.v1', own)).toMatchObject({ event_type: 'stock.low' });
    await waitFor(() => peers.events.some(({ data }) => data.event.eventType === 'stock.low'));
    const tests = () => [...peers.entries.values()].filter(({ event_type }) => event_type === 'webhook_test');
    const entry = await waitFor(() => tests().find(({ process_id }) => process_id === answered.process_id));
    expect(entry).toMatchObject({ is_test: true, status: 'warning', summary: expect.stringMatching(/^ada tested/) });
  });

  test('a body is read by the settings of its sender, and nothing of it is stored', async () => {
    await create('erp', { amount_unit: 'minor', paths: { order: '/data/reference' } });
    const read = (gateway: string, body: unknown, connections = true) =>
      deps.bus.request('intake.body.read.v1', {
        ...{ gateway, connections, body: typeof body === 'string' ? body : JSON.stringify(body) },
      });
    const paid = { type: 'payment_completed', amount: 4900, currency: 'EUR', data: { reference: '1042' } };
    expect(await read('erp', paid)).toMatchObject({
      refused: null,
      events: [{ genericType: 'payment_completed', amount: '49.00', orderReference: { order_id: '1042' } }],
    });
    await deps.bus.request('intake.connection.change.v1', { name: 'erp', fields: { currency: 'myr' } });
    expect((await read('erp', { ...paid, currency: undefined })).events[0]).toMatchObject({ currency: 'MYR' });
    // A word would be taken for a currency that no order has.
    const word = { name: 'erp', fields: { currency: 'ringgit' } };
    await expect(deps.bus.request('intake.connection.change.v1', word)).rejects.toThrow('such as MYR');
    await deps.bus.request('intake.connection.change.v1', { name: 'erp', fields: { currency: '' } });
    expect((await read('erp', { ...paid, currency: undefined })).events[0]).toMatchObject({ currency: null });
    const inHeader = {
      paths: { type: '/type | header:x-topic' },
      types: { 'orders/paid': 'payment_completed' },
    } as const;
    await create('topics', inHeader);
    const ofTopic = { gateway: 'topics', connections: true, body: '{"order_id": 1042}', type: 'orders/paid' };
    const asked = await deps.bus.request('intake.body.read.v1', ofTopic);
    expect(asked.events).toMatchObject([{ genericType: 'payment_completed', sentAs: 'orders/paid' }]);
    const form = 'txn_type=cart&payment_status=Completed&txn_id=T1&mc_gross=49.00&mc_currency=EUR&custom=1042';
    expect((await read('gateway_wallet', form)).refused).toContain('does not name its receiver');
    expect(await read('gateway_card', 'no event')).toMatchObject({ events: [], refused: expect.stringMatching(/\.$/) });
    await expect(read('nobody', paid)).rejects.toMatchObject({ status: 404, code: 'svc_gateway_not_found' });
    await expect(read('erp', paid, false)).rejects.toMatchObject({ status: 403, code: 'svc_licence_required' });
    expect(await storedEvents(deps)).toEqual([]);
  });
});
