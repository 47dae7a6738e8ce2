import { message } from '@order-automation/contracts';
import type { Service } from '@order-automation/service';
import { describeLanes, type LaneDeps, type SettableClock, waitFor } from '@order-automation/testing';
import { cardKey, startEventList, walletKey } from './event-list';
import { cardWebhook, laterClock, type Peers, payloadsOf, receiveOne, start, startPeers, storedEvents } from './intake';

const minute = 60_000;

describeLanes('events that never arrived', (lane) => {
  let deps: LaneDeps;
  let clock: SettableClock;
  let service: Service;
  let peers: Peers;
  let list: Awaited<ReturnType<typeof startEventList>>;
  let env: Record<string, string>;

  beforeEach(async () => {
    clock = laterClock();
    list = await startEventList();
    list.clock.now = clock.now;
    env = { GATEWAY_CARD_API: list.url, GATEWAY_WALLET_API: list.url };
    deps = await lane.deps({ clock });
    peers = await startPeers(deps.bus);
    await peers.listen();
    service = await start(deps, env);
  });
  afterEach(async () => {
    await service.close();
    await deps.close();
    list.close();
  });

  /** Asked for the first time, too. */
  const connect = async (gateway = 'gateway_card', key = cardKey) => {
    const { source } = await deps.bus.request('intake.source.connect.v1', { gateway, key, by: 'ada' });
    await waitFor(async () => (await record(gateway)).asked_at !== source.asked_at);
    return source;
  };
  const record = async (gateway = 'gateway_card') =>
    (await deps.bus.request('intake.source.get.v1', { gateway })).source;
  /** Asked again since then, and with all of it done. */
  const asked = async (since: string | null = null, gateway = 'gateway_card') => {
    const before = (await record(gateway)).asked_at;
    clock.advance(1);
    await deps.bus.request('intake.source.ask.v1', { gateway, since, by: 'ada' });
    return waitFor(async () => {
      const now = await record(gateway);
      return now.asked_at !== before && !now.asking && now;
    });
  };
  /** The gateway has sent this event, whether it arrives or not. */
  const sent = (id: string, type = 'payment_intent.succeeded') => {
    const webhook = cardWebhook(id, list.clock.now(), { type });
    list.card.push(JSON.parse(Buffer.from(webhook.body).toString()));
    return webhook;
  };
  const recovered = () => peers.events.filter(({ data }) => data.event.channel === 'recovered');
  const entries = (type: string) => [...peers.entries.values()].filter(({ event_type }) => event_type === type);

  test('what never arrived is taken up once, in the order in which it happened, and what arrived is left alone', async () => {
    await receiveOne(deps.bus, sent('evt_before'));
    expect(await connect()).toMatchObject({ connected: true, key_last4: 'cdef', found: 0, problem: null });
    clock.advance(minute);
    await receiveOne(deps.bus, sent('evt_arrived'));
    sent('evt_lost');
    clock.advance(1_000);
    sent('evt_lost_later');
    clock.advance(4 * minute);
    expect(await asked()).toMatchObject({ found: 2, last_found: { events: 2 }, problem: null });
    await waitFor(() => recovered().length === 2);
    expect(recovered().map(({ data }) => data.event)).toMatchObject([
      { idempotencyKey: 'gateway_card:evt_lost', authenticated: true },
      { idempotencyKey: 'gateway_card:evt_lost_later', authenticated: true },
    ]);
    expect(await asked()).toMatchObject({ found: 2 });
    expect(await storedEvents(deps)).toHaveLength(4);
    expect(entries('webhook_duplicate')).toEqual([]);
    expect(entries('webhook_recovered').map(({ summary }) => summary)).toContainEqual(
      expect.stringContaining('2 events that had never arrived here were fetched and processed'),
    );
    // Its webhook was only late: it is the same event.
    expect(await receiveOne(deps.bus, sent('evt_lost'))).toMatchObject({ duplicate: true });
  });

  test('what a gap has swallowed is one figure, with what became of it, until a day after', async () => {
    const told = async () => (await deps.bus.request('intake.figures.get.v1', {})).recovered;
    await receiveOne(deps.bus, sent('evt_before'));
    await connect();
    expect(await told()).toEqual([]);
    const from = clock.now() + minute;
    for (let each = 0; each < 4; each += 1) {
      clock.advance(minute);
      sent(`evt_lost_${each}`);
    }
    const to = from + 3 * minute;
    await asked();
    clock.advance(5 * minute);
    expect(await asked()).toMatchObject({ found: 4, last_found: { events: expect.any(Number) } });
    await waitFor(() => recovered().length === 4);
    const [done = '', dead = '', event_id = ''] = recovered().map(({ data }) => data.event.id);
    await peers.finish(done);
    await peers.finish(dead, { outcome: 'dead' });
    const until = new Date(clock.now() + 60 * minute).toISOString();
    const events = [{ event_id, origin: 'intake' as const, waiting_for: 'order 1001', until }];
    await deps.bus.publish(message('evaluation.events-waiting.v1', { events }, { now: clock.now() }));
    const seconds = (at: number) => new Date(Math.floor(at / 1_000) * 1_000).toISOString();
    const gap = { gateway: 'gateway_card', from: seconds(from), to: seconds(to), total: 4, asking: false };
    // Counted while each of the three moves: one may be missed until it has.
    await waitFor(async () => {
      const [now] = (await told()) ?? [];
      return now?.done === 1 && now.dead === 1 && now.waiting === 1;
    });
    expect(await told()).toMatchObject([{ ...gap, done: 1, dead: 1, waiting: 1 }]);
    // A replay of one is no other event that never arrived.
    await deps.bus.request('intake.event.replay.v1', { id: dead, by: 'ada' });
    await waitFor(async () => (await told())?.[0]?.dead === 0);
    expect(await told()).toMatchObject([{ ...gap, done: 2, dead: 0 }]);
    clock.advance(24 * 60 * minute);
    expect(await told()).toEqual([]);
    // The next gap is one of its own.
    sent('evt_lost_next_day');
    clock.advance(5 * minute);
    await asked();
    await waitFor(async () => (await told())?.[0]?.total === 1);
  });

  test('what was sent in the second that an asking ends in is not said to be here before it is', async () => {
    await connect();
    clock.advance(minute - (clock.now() % 1_000) + 900);
    sent('evt_lost');
    clock.advance(2 * minute);
    const first = await asked();
    const sentAt = Math.floor((clock.now() - 2 * minute) / 1_000) * 1_000;
    expect([first.found, Date.parse(first.asked_until ?? '') <= sentAt]).toEqual([0, true]);
    clock.advance(2_000);
    const second = await asked();
    expect([second.found, Date.parse(second.asked_until ?? '') > sentAt]).toEqual([1, true]);
  });

  // docs/guide/missing-events.md: "everything that is missing is found". A clock that is more than five minutes ahead refuses every webhook as too old.
  test('a clock that is ahead of the gateway hides nothing', async () => {
    list.clock.now = () => clock.now() - 15 * minute;
    await connect();
    for (let each = 0; each < 4; each += 1) {
      sent(`evt_refused_${each}`);
      clock.advance(3 * minute);
      await asked();
    }
    expect((await asked()).found).toBe(4);
    expect(Date.parse((await record()).asked_until ?? '')).toBeLessThanOrEqual(list.clock.now() - 2 * minute);
    // And set right again, it is asked for what followed.
    list.clock.now = clock.now;
    sent('evt_lost');
    clock.advance(3 * minute);
    expect(await asked()).toMatchObject({ found: 5 });
  });

  // docs/guide/missing-events.md: "The card says when the gateway was asked last": what lies before a wish for the last hour stays to be asked for.
  test('asking for the last hour while a longer gap is open asks for both', async () => {
    await receiveOne(deps.bus, sent('evt_first'));
    await connect();
    clock.advance(minute);
    sent('evt_lost_at_first');
    list.fault.status = 500;
    clock.advance(3 * 24 * 60 * minute);
    sent('evt_lost_at_last');
    clock.advance(3 * minute);
    list.fault.status = 200;
    expect(await asked(new Date(clock.now() - 60 * minute).toISOString())).toMatchObject({ found: 2 });
  });

  // Section 12 of the decisions: the Retry-After of a 429 is believed in full.
  test('a gateway that asks for an hour of rest is left alone for it, and each new reason is in the log', async () => {
    await connect();
    const troubles = [
      [429, { 'retry-after': '3600' }],
      [401, {}],
    ] as const;
    for (const [status, headers] of troubles) {
      Object.assign(list.fault, { status, headers });
      const before = await record();
      clock.advance(5 * minute);
      await deps.bus.request('intake.source.ask.v1', { gateway: 'gateway_card', since: null });
      const after = await waitFor(async () => {
        const now = await record();
        return now.asked_at !== before.asked_at && now.problem !== before.problem && now;
      });
      if (status === 429) expect(Date.parse(after.next_at ?? '') - Date.parse(after.asked_at ?? '')).toBe(60 * minute);
    }
    await waitFor(() => entries('webhook_recovered').filter(({ status }) => status === 'error').length === 2);
  });

  test('an asking that finds nothing is one request, and a webhook on its way is not missing yet', async () => {
    await connect();
    clock.advance(140_000);
    sent('evt_under_way');
    list.asked.length = 0;
    expect(await asked()).toMatchObject({ found: 0 });
    expect(list.asked).toHaveLength(1);
  });

  test('of the account only what webhooks bring is taken up, and what no shop can do without', async () => {
    // A test that somebody sent says nothing of what the gateway sends.
    await receiveOne(deps.bus, sent('evt_test', 'charge.succeeded'));
    await (await payloadsOf(deps)).updateMany({}, { $set: { 'event.isTest': true } });
    await receiveOne(deps.bus, sent('evt_1', 'checkout.session.completed'));
    await connect();
    clock.advance(minute);
    const types = ['payment_intent.succeeded', 'charge.succeeded', 'checkout.session.completed', 'charge.refunded'];
    for (const [index, type] of types.entries()) sent(`evt_lost_${index}`, type);
    clock.advance(4 * minute);
    expect(await asked()).toMatchObject({ found: 2 });
    const names = (await storedEvents(deps)).filter(({ event }) => event.channel === 'recovered');
    expect(names.map(({ webhook }) => webhook.metadata.gateway_event_type)).toEqual(types.slice(2));
  });

  test('before the first webhook payments are asked for, and what it brings from then on', async () => {
    await connect();
    clock.advance(minute);
    sent('evt_lost');
    clock.advance(4 * minute);
    expect(await asked()).toMatchObject({ found: 1 });
    await receiveOne(deps.bus, sent('evt_1', 'checkout.session.completed'));
    sent('evt_of_the_same_payment');
    clock.advance(4 * minute);
    expect(await asked()).toMatchObject({ found: 1 });
  });

  test('an hour of a busy account is asked for in smaller pieces, and a long gap in as many as it takes', async () => {
    await receiveOne(deps.bus, sent('evt_first'));
    const began = new Date(clock.now()).toISOString();
    for (let each = 0; each < 250; each += 1) {
      sent(`evt_lost_${each}`);
      clock.advance(5 * minute);
    }
    await connect();
    list.asked.length = 0;
    expect(await asked(began)).toMatchObject({ found: 250 });
    // 21 hours, six at a time.
    expect(list.asked).toHaveLength(4);
    expect(recovered().length + (await storedEvents(deps)).length).toBeGreaterThan(250);
  });

  test('nothing is taken up from before the service was in use', async () => {
    sent('evt_of_the_plugin');
    clock.advance(10 * minute);
    await receiveOne(deps.bus, sent('evt_first'));
    clock.advance(10 * minute);
    sent('evt_lost');
    clock.advance(10 * minute);
    await connect();
    expect(await asked(new Date(clock.now() - 60 * minute).toISOString())).toMatchObject({ found: 1 });
    expect((await storedEvents(deps)).map(({ event }) => event.idempotencyKey)).toEqual([
      'gateway_card:evt_first',
      'gateway_card:evt_lost',
    ]);
  });

  test('a key that is refused is not stored; one that is refused later is a problem, and a new one goes on from there', async () => {
    await expect(connect('gateway_card', 'rk_live_wrong_0000')).rejects.toMatchObject({
      status: 400,
      data: { violations: [{ path: 'key', message: expect.stringContaining('refused the key (401)') }] },
    });
    await expect(connect('gateway_card', 'whsec_0123456789')).rejects.toMatchObject({ status: 400 });
    await expect(connect('generic', cardKey)).rejects.toMatchObject({ code: 'svc_source_not_available' });
    expect(await record()).toMatchObject({ connected: false, asked_at: null });
    await connect();
    clock.advance(minute);
    sent('evt_lost');
    clock.advance(4 * minute);
    list.fault.status = 403;
    const before = await record();
    await deps.bus.request('intake.source.ask.v1', { gateway: 'gateway_card', since: null });
    const refused = await waitFor(async () => {
      const now = await record();
      return now.problem !== null && now;
    });
    expect(refused).toMatchObject({ asked_until: before.asked_until, found: 0 });
    const { warnings } = await deps.bus.request('intake.status.v1', {});
    expect(warnings).toContainEqual({
      about: 'gateway_card',
      ends_at: null,
      text: expect.stringContaining('refused the key (403)'),
    });
    await waitFor(() => entries('webhook_recovered').some(({ status }) => status === 'error'));
    expect(JSON.stringify([...peers.entries.values(), warnings, refused])).not.toContain(cardKey);
    list.fault.status = 200;
    clock.advance(1);
    await connect();
    await waitFor(async () => (await record()).found === 1);
    expect(await record()).toMatchObject({ problem: null });
  });

  test('the wallet is asked with a token that is made once, page by page', async () => {
    await connect('gateway_wallet', walletKey);
    clock.advance(minute);
    for (let each = 0; each < 130; each += 1)
      list.wallet.push({
        id: `WH-${each}`,
        event_type: 'PAYMENT.CAPTURE.COMPLETED',
        create_time: new Date(clock.now()).toISOString(),
        resource_type: 'capture',
        resource: { id: `CAP-${each}`, custom_id: '1001', amount: { value: '49.00', currency_code: 'EUR' } },
      } as never);
    clock.advance(4 * minute);
    expect(await asked(null, 'gateway_wallet')).toMatchObject({ found: 130 });
    expect(list.asked.filter(({ pathname }) => pathname.endsWith('/token'))).toHaveLength(1);
    expect((await storedEvents(deps))[0]).toMatchObject({
      event: { channel: 'recovered', authenticated: true, genericType: 'payment_completed' },
    });
  });

  // developer.paypal.com/api/identity/v1/errors/invalid_token: "Send a valid access token"; a token that the wallet has dropped is answered 401.
  test('a token of the wallet that ends before its time is replaced, and the key passes for a good one', async () => {
    await connect('gateway_wallet', walletKey);
    clock.advance(5 * minute);
    list.token.value = 'A21AA-another';
    expect(await asked(null, 'gateway_wallet')).toMatchObject({ problem: null });
    expect(list.asked.filter(({ pathname }) => pathname.endsWith('/token'))).toHaveLength(2);
  });

  test('it goes on after a restart where it had come to, and is asked no more once the key is removed', async () => {
    await connect();
    await asked();
    await service.close();
    clock.advance(minute);
    sent('evt_lost');
    clock.advance(9 * minute);
    service = await start(deps, env);
    await waitFor(() => recovered().length === 1);
    await deps.bus.request('intake.source.disconnect.v1', { gateway: 'gateway_card', by: 'ada' });
    expect(await record()).toMatchObject({ connected: false, key_last4: null });
    await expect(
      deps.bus.request('intake.source.ask.v1', { gateway: 'gateway_card', since: null }),
    ).rejects.toMatchObject({ code: 'svc_source_not_available' });
  });
});
