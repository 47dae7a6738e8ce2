import { StoreUnavailableError } from '@order-automation/store';
import { describeLanes, settableClock, waitFor } from '@order-automation/testing';
import { openDeliveries } from '../src/deliveries/document';
import type { Tried } from '../src/deliveries/outcome';
import { type DeliveryQueue, type QueueDeps, type Send, startDeliveryQueue } from '../src/deliveries/queue';

const waitingForSlow = 600;
const cause = {
  event_type: 'charge.succeeded',
  gateway: 'gateway_card',
  authenticated: true,
  is_test: false,
  depth: 0,
  rules: [],
  received_at: '2026-01-01T00:00:00.000Z',
};

describeLanes('the queue of deliveries', (lane) => {
  let queue: DeliveryQueue | undefined;
  let release = (): void => undefined;
  afterEach(async () => {
    release();
    await queue?.close();
  });

  const starting = (deps: Pick<QueueDeps, 'deliveries' | 'clock' | 'log' | 'send'>) => {
    const rest = { record: async () => undefined, onResult: () => undefined, giveUpAfter: 60_000, holdFor: 30_000 };
    const started = startDeliveryQueue({ ...deps, ...rest });
    queue = started;
    return (channel: string, index: number) =>
      started.add(
        { kind: 'webhook', target: `https://${channel}/`, channel, payload: '{}', what: `${channel} is being called` },
        {
          _id: `evt_${channel}_${index}`,
          process_id: `prc_${index}`,
          order_id: index,
          rule: { id: 1, name: 'Call' },
          cause,
          action: { index: 0, id: 'send_webhook', label: 'Call a web address' },
          key: `${channel}/${index}`,
        },
      );
  };

  test.each<[string, Tried, number]>([
    ['refused', { kind: 'failed', cause: 'refused', message: 'It answered 400.', status: 400, answer: '' }, 1],
    ['busy', { kind: 'failed', cause: 'unavailable', message: 'It answered 429.', status: 429, answer: '' }, 1],
    ['not reached', { kind: 'failed', cause: 'unreachable', message: 'No answer.', status: null, answer: null }, 2],
  ])(
    'what a host %s waits for its own next try when the host takes another delivery, unless the host was away',
    async (how, failure, tries) => {
      const clock = settableClock(Date.now());
      const { store, log } = await lane.deps({ database: `delivery_${how.replace(' ', '_')}`, clock });
      const sent: string[] = [];
      const send: Send = async ({ key }) => {
        sent.push(key);
        if (key === 'one.example.com/1') return failure;
        return { kind: 'delivered', message: 'called', status: 200, answer: null };
      };
      const deliveries = await openDeliveries(store);
      const add = starting({ deliveries, clock, log, send: { webhook: send, email: send } });
      await add('one.example.com', 1);
      await waitFor(async () => (await deliveries.byKey('one.example.com/1'))?.attempts_made === 1);
      await add('one.example.com', 2);
      await waitFor(async () => (await deliveries.byKey('one.example.com/2'))?.state === 'delivered');
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      expect(sent.filter((key) => key === 'one.example.com/1')).toHaveLength(tries);
    },
  );

  test('what a process that died was sending goes out at the next start of the only process', async () => {
    const clock = settableClock();
    const { store, log } = await lane.deps({ database: 'delivery_died', clock });
    const deliveries = await openDeliveries(store);
    const send: Send = () =>
      new Promise((resolve) => {
        release = () => resolve({ kind: 'delivered', message: 'called', status: 200, answer: null });
      });
    const add = starting({ deliveries, clock, log, send: { webhook: send, email: send } });
    await add('one.example.com', 1);
    await waitFor(async () => (await deliveries.due(clock.now(), 10, 0)).length === 0);
    const sending = await deliveries.byKey('one.example.com/1');
    const later = clock.now() + 9_000;
    if (sending)
      await deliveries.insert({ ...sending, _id: 'dlv_later', key: 'later', next_attempt_at: later, due: later });
    await deliveries.abandonLeases(clock.now());
    const due = await deliveries.due(clock.now(), 10, 0);
    expect(due.map(({ _id }) => _id)).toEqual([sending?._id]);
  });

  // docs/operations/alerts.md, "Disk Fills": the process recovers without a restart. It filled the disk with what it said about it.
  test('deliveries that a full disk keeps from going on are tried some times a second, and go out when there is space', async () => {
    const clock = settableClock();
    const { store, log } = await lane.deps({ database: 'delivery_disk', clock });
    const deliveries = await openDeliveries(store);
    let [isFull, takes] = [true, 0];
    const take: typeof deliveries.take = async (...found) => {
      takes += 1;
      if (isFull) throw new StoreUnavailableError('The disk of the database is full (SQLITE_FULL).');
      return deliveries.take(...found);
    };
    const warned = jest.spyOn(log, 'warn');
    const send: Send = async () => ({ kind: 'delivered', message: 'called', status: 200, answer: null });
    const add = starting({ deliveries: { ...deliveries, take }, clock, log, send: { webhook: send, email: send } });
    for (let index = 0; index < 40; index += 1) await add('one.example.com', index);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(takes).toBeLessThan(400);
    expect(warned.mock.calls.length).toBeLessThan(5);
    isFull = false;
    queue?.kick();
    await waitFor(async () => (await deliveries.byKey('one.example.com/39'))?.state === 'delivered');
  });

  test('a receiver that hangs holds up nobody else, however much is due for it; what another had before is not said to go on', async () => {
    const clock = settableClock();
    const { store, log } = await lane.deps({ database: 'delivery_queue', clock });
    const deliveries = await openDeliveries(store);
    const sent: string[] = [];
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const delivered: Tried = { kind: 'delivered', message: 'called', status: 200, answer: null };
    const send: Send = ({ channel }) => {
      sent.push(channel);
      if (channel !== 'slow.example.com') return Promise.resolve(delivered);
      return released.then(() => delivered);
    };
    const add = starting({ deliveries, clock, log, send: { webhook: send, email: send } });
    for (let index = 0; index < waitingForSlow; index += 1) await add('slow.example.com', index);
    clock.advance(1_000);
    await add('quick.example.com', waitingForSlow);
    await waitFor(() => sent.includes('quick.example.com'));
    expect(sent.filter((channel) => channel === 'slow.example.com').length).toBeLessThan(waitingForSlow);

    const again = await waitFor(async () => {
      const outcome = await add('quick.example.com', waitingForSlow);
      return outcome?.status === 'already_applied' && outcome;
    });
    expect(again).toMatchObject({ by: `prc_${waitingForSlow}`, message: 'quick.example.com was called.' });
    expect(sent.filter((channel) => channel === 'quick.example.com')).toHaveLength(1);
  }, 60_000);
});
