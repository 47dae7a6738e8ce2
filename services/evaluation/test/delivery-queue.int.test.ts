import { describeLanes, settableClock, waitFor } from '@order-automation/testing';
import { openDeliveries } from '../src/deliveries/document';
import type { Tried } from '../src/deliveries/outcome';
import { type DeliveryQueue, type Send, startDeliveryQueue } from '../src/deliveries/queue';

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
    queue = startDeliveryQueue({
      deliveries,
      clock,
      log,
      record: async () => undefined,
      send: { webhook: send, email: send },
      onResult: () => undefined,
      giveUpAfter: 60_000,
      holdFor: 30_000,
    });
    const add = (channel: string, index: number) =>
      queue?.add(
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
