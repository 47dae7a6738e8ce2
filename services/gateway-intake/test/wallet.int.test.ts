import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { paginate, type ReceivedWebhook } from '@order-automation/contracts';
import type { Service } from '@order-automation/service';
import { describeLanes, type LaneDeps, type SettableClock, waitFor } from '@order-automation/testing';
import { firstDelay } from '../src';
import { maxConfirmations } from '../src/delivery/confirmations';
import { openTransmissions } from '../src/inbox/collections';
import {
  cardWebhook,
  genericWebhook,
  inboxOf,
  laterClock,
  type Peers,
  receiveOne,
  start,
  startPeers,
  storedEvents,
} from './intake';

const notification =
  'receiver_email=shop%40example.com&txn_type=web_accept&payment_status=Completed&txn_id=T1&mc_gross=49.00&mc_currency=EUR&invoice=1010&charset=windows-1252&first_name=Zo%EB';

describeLanes('notifications that the wallet confirms', (lane) => {
  let deps: LaneDeps;
  let clock: SettableClock;
  let service: Service;
  let peers: Peers;
  let wallet: Server;
  let url: string;
  /** What the wallet answers; null: nothing. */
  let answer: string | null;
  const asked: string[] = [];

  beforeEach(async () => {
    asked.length = 0;
    answer = 'VERIFIED';
    wallet = createServer(async (req, res) => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk as Buffer);
      asked.push(Buffer.concat(chunks).toString('latin1'));
      if (answer === null) res.destroy();
      else if (answer === 'hang') return;
      else res.end(answer);
    });
    await new Promise<void>((resolve) => wallet.listen(0, '127.0.0.1', resolve));
    clock = laterClock();
    deps = await lane.deps({ clock });
    peers = await startPeers(deps.bus);
    await peers.listen();
    url = `http://127.0.0.1:${(wallet.address() as AddressInfo).port}/`;
    service = await start(deps, { GATEWAY_WALLET_IPN_VERIFY_URL: url, GATEWAY_WALLET_RECEIVER: 'shop@example.com' });
  });
  afterEach(async () => {
    await service.close();
    await deps.close();
    wallet.closeAllConnections();
    await new Promise((resolve) => wallet.close(resolve));
  });

  const ipn = (form: string): ReceivedWebhook => ({
    ...genericWebhook(form),
    gateway: 'gateway_wallet',
    headers: { 'content-type': ['application/x-www-form-urlencoded'] },
  });
  const quotaUsed = async () => {
    const totals = await deps.store.collection<{ _id: string; bytes: number }>('totals');
    return (await totals.findOne({ _id: 'asked' }))?.bytes;
  };
  const only = async () => (await storedEvents(deps))[0];

  test('VERIFIED is accepted: the received bytes went back, and the event says what the form says', async () => {
    expect(await receiveOne(deps.bus, ipn(notification))).toMatchObject({
      success: true,
      message: '1 event processed',
    });
    expect(asked).toEqual([`cmd=_notify-validate&${notification}`]);
    const { data } = await waitFor(() => peers.events[0]);
    expect(data.event).toMatchObject({
      eventType: 'payment.wallet.payment_completed',
      genericType: 'payment_completed',
      transactionID: 'T1',
      amount: '49.00',
      currency: 'EUR',
      authenticated: true,
      orderReference: { order_id: '1010' },
    });
    expect(await receiveOne(deps.bus, ipn(notification))).toMatchObject({ success: true, duplicate: true });
  });

  test('INVALID is refused, and nothing of it is kept', async () => {
    answer = 'INVALID';
    expect(await receiveOne(deps.bus, ipn(notification))).toMatchObject({ success: false });
    const entry = await waitFor(() => [...peers.entries.values()][0]);
    expect(entry).toMatchObject({ event_type: 'webhook_rejected', details: { reason: 'ipn_invalid' } });
    expect(await only()).toBeUndefined();
  });

  test('without an answer it is stored, asked about again, and evaluated only when it is confirmed', async () => {
    answer = null;
    const reception = await receiveOne(deps.bus, ipn(notification));
    expect(reception).toMatchObject({ success: true, message: expect.stringContaining('confirmed') });
    expect(await only()).toMatchObject({ state: 'verifying', event: { authenticated: false } });
    const filter = { state: 'verifying' as const };
    const { events } = await deps.bus.request('intake.event.list.v1', { filter, page: 1, per_page: 10 });
    expect(events).toMatchObject([{ state: 'verifying', waiting_for: 'the confirmation of gateway_wallet' }]);
    answer = 'Please try again later';
    clock.advance(firstDelay + 500);
    await waitFor(async () => (await only())?.attempts === 1);
    expect(peers.events).toEqual([]);
    answer = 'VERIFIED';
    clock.advance(2 * firstDelay + 500);
    const { data } = await waitFor(() => peers.events[0]);
    expect(data.event).toMatchObject({ authenticated: true, transactionID: 'T1' });
    expect(await only()).toMatchObject({ state: 'accepted' });
  });

  test.each([
    ['disowned', 'INVALID', 0, 'ipn_invalid'],
    ['not confirmed in many tries', null, maxConfirmations, 'not_confirmed'],
  ])('what is %s in the end is refused then, and nothing of its body is kept', async (_name, later, tries, reason) => {
    answer = null;
    await receiveOne(deps.bus, ipn(notification));
    answer = later;
    await (await inboxOf(deps)).updateMany({ state: 'verifying' }, { $set: { attempts: tries } });
    clock.advance(2 * firstDelay);
    await waitFor(async () => (await only())?.state === 'refused');
    // The body goes once the state is stored, and its share of the quota after it.
    await waitFor(async () => (await quotaUsed()) === 0);
    expect(await only()).not.toHaveProperty('body');
    await waitFor(() => [...peers.entries.values()].some(({ details }) => details.reason === reason));
    expect(peers.events).toEqual([]);
    // The wallet is made to send it again, and does not answer at once this time either.
    answer = null;
    expect(await receiveOne(deps.bus, ipn(notification))).toMatchObject({ success: true, duplicate: false });
    answer = 'VERIFIED';
    clock.advance(firstDelay + 500);
    await waitFor(() => peers.events[0]);
  });

  test('a confirmed payment to somebody else does not act, and the next one to us does', async () => {
    answer = 'VERIFIED';
    const theirs = notification.replace('shop%40example.com', 'thief%40example.net');
    expect(await receiveOne(deps.bus, ipn(theirs))).toMatchObject({ success: false, events_processed: 0 });
    const entry = await waitFor(() => [...peers.entries.values()][0]);
    expect(entry).toMatchObject({ event_type: 'webhook_rejected', details: { reason: 'other_receiver' } });
    expect(await only()).toMatchObject({
      state: 'refused',
      reason: expect.stringContaining('the settings of the wallet do not name'),
    });
    const ours = notification.replace('shop%40', 'Shop%40');
    expect(await receiveOne(deps.bus, ipn(ours))).toMatchObject({ success: true, events_processed: 1 });
    const { data } = await waitFor(() => peers.events[0]);
    expect(data.event).toMatchObject({ transactionID: 'T1', authenticated: true });
  });

  test('without GATEWAY_WALLET_RECEIVER every notification is refused, and health says why', async () => {
    await service.close();
    service = await start(deps, { GATEWAY_WALLET_IPN_VERIFY_URL: url });
    expect(await receiveOne(deps.bus, ipn(notification))).toMatchObject({ success: false });
    expect(asked).toEqual([]);
    const entry = await waitFor(() => [...peers.entries.values()][0]);
    expect(entry).toMatchObject({ details: { reason: 'ipn_receiver_not_configured' } });
    const { adapters } = await deps.bus.request('intake.status.v1', {});
    expect(adapters.find(({ gateway }) => gateway === 'gateway_wallet')).toMatchObject({
      status: 'inactive',
      reason: expect.stringContaining('your e-mail addresses or account ids'),
    });
  });

  test('an administrator sets what the environment does not, and it counts at once', async () => {
    await service.close();
    service = await start(deps, { GATEWAY_WALLET_IPN_VERIFY_URL: url });
    const set = (fields: object, gateway = 'gateway_wallet') =>
      deps.bus.request('intake.gateway.reference.v1', { gateway, by: 'ada', ...fields });
    const wallet = async () => {
      const { gateways } = await deps.bus.request('intake.gateway.list.v1', {});
      return gateways.find(({ name }) => name === 'gateway_wallet');
    };
    expect(await wallet()).toMatchObject({ status: 'inactive', webhook_id: '', set_by_environment: ['verify_url'] });
    await set({ receiver: 'other@example.com Shop@example.com', webhook_id: '8PT5' });
    expect(await receiveOne(deps.bus, ipn(notification))).toMatchObject({ success: true, events_processed: 1 });
    expect(await wallet()).toMatchObject({
      status: 'active',
      webhook_id: '8PT5',
      status_reason: 'JSON webhooks are refused until a certificate of the wallet is loaded.',
    });
    expect([...peers.entries.values()].map(({ summary }) => summary)).toContain(
      'ada changed how webhooks of gateway_wallet are verified.',
    );
    await expect(set({ verify_url: 'https://ipnpb.paypal.com/cgi-bin/webscr' })).rejects.toMatchObject({ status: 409 });
    await expect(set({ webhook_id: '8PT5' }, 'gateway_card')).rejects.toMatchObject({ status: 400 });
    // Where money is confirmed is the wallet's own address, or that of its sandbox.
    await expect(set({ verify_url: 'https://attacker.example/' })).rejects.toThrow();
    await set({ receiver: '', webhook_id: '' });
    expect(await receiveOne(deps.bus, ipn(notification.replace('T1', 'T2')))).toMatchObject({ success: false });
  });

  test('a test says what it needs where notifications alone are configured', async () => {
    await deps.bus.respond('shop.order.list.v1', async () => ({ orders: [], pagination: paginate(0, 1, 1) }));
    const asked = { gateway: 'gateway_wallet', connection: null, order_id: null, patience: 100 };
    expect(await deps.bus.request('intake.test.send.v1', asked, { timeout: 10_000 })).toMatchObject({
      success: false,
      result: 'refused',
      recommendations: [expect.stringContaining('the webhook id in the settings of the wallet')],
    });
  });

  test('what waits for a confirmation counts in the quota until it is confirmed', async () => {
    await service.close();
    service = await start(deps, {
      GATEWAY_WALLET_IPN_VERIFY_URL: url,
      GATEWAY_WALLET_RECEIVER: 'shop@example.com',
      INTAKE_UNAUTHENTICATED_BYTES: '1KiB',
    });
    answer = null;
    const forms = [1, 2, 3, 4, 5, 6, 7].map((number) => ipn(notification.replace('T1', `T${number}`)));
    const answers = [];
    for (const form of forms) answers.push((await receiveOne(deps.bus, form)).success);
    expect(answers.filter(Boolean)).toHaveLength(Math.floor(1024 / notification.length));
    const before = asked.length;
    expect(await receiveOne(deps.bus, ipn(notification.replace('T1', 'T8')))).toMatchObject({ success: false });
    expect(asked).toHaveLength(before); // The quota is looked at before the wallet is asked.
    answer = 'VERIFIED';
    clock.advance(firstDelay + 500);
    await waitFor(async () => (await quotaUsed()) === 0);
    expect(await receiveOne(deps.bus, ipn(notification.replace('T1', 'T9')))).toMatchObject({ success: true });
  });

  test('what is confirmed while the gateway is paused waits for its end', async () => {
    answer = null;
    await receiveOne(deps.bus, ipn(notification));
    await deps.bus.request('intake.gateway.pause.v1', { gateway: 'gateway_wallet', paused: true });
    answer = 'VERIFIED';
    clock.advance(firstDelay + 500);
    await waitFor(async () => (await only())?.state === 'held');
    expect(peers.events).toEqual([]);
    await deps.bus.request('intake.gateway.pause.v1', { gateway: 'gateway_wallet', paused: false });
    const { data } = await waitFor(() => peers.events[0]);
    expect(data.event).toMatchObject({ authenticated: true });
  });

  test('a wallet that hangs delays no other event', async () => {
    answer = null;
    await receiveOne(deps.bus, ipn(notification));
    answer = 'hang';
    await service.close();
    const before = asked.length;
    service = await start(deps, { GATEWAY_WALLET_IPN_VERIFY_URL: url, GATEWAY_WALLET_RECEIVER: 'shop@example.com' });
    await waitFor(() => asked.length > before);
    await receiveOne(deps.bus, cardWebhook('evt_1', clock.now()));
    await waitFor(() => peers.events.length > 0);
    clock.advance(firstDelay + 500);
    await waitFor(() => peers.events.length > 1); // The relay goes on while the wallet says nothing.
    answer = 'VERIFIED';
    wallet.closeAllConnections();
  });

  test('a form that says one thing twice has no meaning', async () => {
    expect(await receiveOne(deps.bus, ipn(`${notification}&mc_gross=1.00`))).toMatchObject({
      success: false,
      message: 'A field of the form came more than once.',
    });
  });

  test('a transmission id belongs to the body that it came with first', async () => {
    const transmissions = await openTransmissions(deps.store);
    expect(await transmissions.bind('gateway_wallet:t-1', 'aa', clock.now())).toBe(true);
    expect(await transmissions.bind('gateway_wallet:t-1', 'aa', clock.now())).toBe(true);
    expect(await transmissions.bind('gateway_wallet:t-1', 'bb', clock.now())).toBe(false);
  });
});
