import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ReceivedWebhook } from '@order-automation/contracts';
import type { Service } from '@order-automation/service';
import { describeLanes, type LaneDeps, type SettableClock, waitFor } from '@order-automation/testing';
import { firstPatience } from '../src';
import { verifyPatience } from '../src/inbox/delivery';
import { openTransmissions } from '../src/inbox/transmissions';
import { genericWebhook, inboxOf, laterClock, type Peers, receiveOne, start, startPeers } from './intake';

const notification =
  'txn_type=web_accept&payment_status=Completed&txn_id=T1&mc_gross=49.00&mc_currency=EUR&invoice=1010&charset=windows-1252&first_name=Zo%EB';

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
      else res.end(answer);
    });
    await new Promise<void>((resolve) => wallet.listen(0, '127.0.0.1', resolve));
    clock = laterClock();
    deps = await lane.deps({ clock });
    peers = await startPeers(deps.bus);
    await peers.listen();
    url = `http://127.0.0.1:${(wallet.address() as AddressInfo).port}/`;
    service = await start(deps, { GATEWAY_WALLET_IPN_VERIFY_URL: url });
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
  const only = async () => (await (await inboxOf(deps)).find({}).toArray())[0];

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
    answer = 'Please try again later';
    clock.advance(firstPatience + 500);
    await waitFor(async () => (await only())?.attempts === 1);
    expect(peers.events).toEqual([]);
    answer = 'VERIFIED';
    clock.advance(2 * firstPatience + 500);
    const { data } = await waitFor(() => peers.events[0]);
    expect(data.event).toMatchObject({ authenticated: true, transactionID: 'T1' });
    expect(await only()).toMatchObject({ state: 'accepted' });
  });

  test.each([
    ['disowned', 'INVALID', 2 * firstPatience, 'ipn_invalid'],
    ['not confirmed in a day', null, verifyPatience + 60_000, 'not_confirmed'],
  ])('what is %s in the end is refused then', async (_name, later, after, reason) => {
    answer = null;
    await receiveOne(deps.bus, ipn(notification));
    answer = later;
    clock.advance(after);
    await waitFor(async () => (await only())?.state === 'refused');
    await waitFor(() => [...peers.entries.values()].some(({ details }) => details.reason === reason));
    expect(peers.events).toEqual([]);
  });

  test('a confirmed payment to somebody else does not act, and the next one to us does', async () => {
    answer = 'VERIFIED';
    await service.close();
    service = await start(deps, {
      GATEWAY_WALLET_IPN_VERIFY_URL: url,
      GATEWAY_WALLET_RECEIVER: 'shop@example.com',
    });
    const theirs = `${notification}&receiver_email=thief%40example.net`;
    expect(await receiveOne(deps.bus, ipn(theirs))).toMatchObject({ success: false, events_processed: 0 });
    const entry = await waitFor(() => [...peers.entries.values()][0]);
    expect(entry).toMatchObject({ event_type: 'webhook_rejected', details: { reason: 'other_receiver' } });
    expect(await only()).toMatchObject({
      state: 'refused',
      reason: expect.stringContaining('GATEWAY_WALLET_RECEIVER'),
    });
    const ours = `${notification}&receiver_email=Shop%40example.com`;
    expect(await receiveOne(deps.bus, ipn(ours))).toMatchObject({ success: true, events_processed: 1 });
    const { data } = await waitFor(() => peers.events[0]);
    expect(data.event).toMatchObject({ transactionID: 'T1', authenticated: true });
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
