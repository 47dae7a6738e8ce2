import {
  type EventReceived,
  type EventWaiting,
  message,
  type OrderChange,
  type UniversalEvent,
} from '@order-automation/contracts';
import { describeLanes, waitFor } from '@order-automation/testing';
import { config, useEvaluation } from './evaluation-world';
import { contextOf, noteRule, received } from './peers';

describeLanes('evaluation: what an event means for its order', (lane) => {
  const world = useEvaluation(lane);
  const { publish, storedAs, reported, doneWith, allEntriesOf, entriesOf, restartWith } = world;

  const identified = (order_id: number): OrderChange => ({
    change_id: `chg_${order_id}`,
    order_id,
    kind: 'identified',
    from: 'pending',
    to: 'pending',
    at: new Date(world.clock.now()).toISOString(),
    cause: { process_id: 'proc_shop', depth: 0, author: 'ada' },
    keys: [`number:${order_id}`],
  });
  const appear = async (order_id: number): Promise<void> => {
    world.peers.orders.set(order_id, contextOf(order_id));
    const change = identified(order_id);
    await world.deps.bus.publish(
      message('shop.order-changed.v1', change, { id: change.change_id, process_id: 'proc_shop', now: Date.now() }),
    );
  };

  it('an event that comes before its order waits for it, across restarts, and is evaluated once', async () => {
    const data = received('pi_h', 43);
    const logged: EventWaiting[] = [];
    await world.deps.bus.subscribe('evaluation.events-waiting.v1', 'intake', async (messages) => {
      logged.push(...messages.flatMap((one) => one.data.events));
    });
    await publish(data);
    await storedAs(data.event.id, 'waiting');
    expect(allEntriesOf(data)).toMatchObject([
      { event_type: 'webhook_received', order_id: null },
      { event_type: 'event_normalized', order_id: null },
      { event_type: 'event_waiting', status: 'pending', summary: expect.stringContaining('waiting for order 43') },
    ]);
    expect(reported(data.event.id)).toBeUndefined();
    await waitFor(() => logged.length > 0);
    expect(logged[0]).toMatchObject({
      event_id: data.event.id,
      origin: 'intake',
      waiting_for: expect.stringContaining('order 43'),
    });
    // Intake hands it over again where it has not heard that.
    await publish(data);
    await waitFor(() => logged.length > 1);
    expect(logged[1]).toEqual(logged[0]);
    await restartWith(noteRule(1));
    await publish(data);
    await waitFor(() => logged.length > 2);
    await appear(43);
    expect(await doneWith(data.event.id)).toMatchObject({ outcome: 'success', order_id: 43 });
    // The log learns the order of what it has: these entries are handed over again under their uids.
    expect(new Set(allEntriesOf(data).map(({ order_id }) => order_id))).toEqual(new Set([43]));
    expect([...world.peers.commands.values()]).toEqual([1]);
    const awaited = await world.deps.store.collection<{ _id: string }>('awaited');
    await waitFor(async () => (await awaited.countDocuments({})) === 0);
  });

  it('an event whose order was deleted in the shop ends at once; one for another order goes on waiting', async () => {
    const [deleted, other] = [received('pi_deleted', 45), received('pi_other', 46)];
    for (const data of [deleted, other]) {
      await publish(data);
      await storedAs(data.event.id, 'waiting');
    }
    const { event, ...rest } = received('none', 1);
    const orderReference = { gateway_ids: [], order_id: null, transaction_id: null };
    const topic = { eventType: 'payment.shop.order_deleted', genericType: null, sourceGateway: 'gateway_shop' };
    const trashed = {
      ...rest,
      event: { ...event, ...topic, primaryObjectID: '45', transactionID: null, orderReference },
    };
    await publish(trashed);
    expect(await doneWith(deleted.event.id)).toMatchObject({ outcome: 'no_order', order_id: 45 });
    expect(entriesOf(deleted).at(-1)).toMatchObject({
      order_id: 45,
      summary: expect.stringContaining('order 45, which the event waited for, was deleted in the shop'),
    });
    expect((await world.stored(other.event.id))?.state).toBe('waiting');
    // The body is the id of the order alone (WC_Webhook::build_payload); the story of the order says where it went.
    expect(await doneWith(event.id)).toMatchObject({ outcome: 'no_order', order_id: 45 });
    expect(entriesOf(trashed).at(-1)).toMatchObject({
      status: 'info',
      order_id: 45,
      summary: expect.stringContaining('the shop has moved order 45 to its trash'),
    });
  });

  it('an event whose order does not appear ends without one, and the log asks for a look', async () => {
    const data = received('pi_u', 44);
    await publish(data);
    await storedAs(data.event.id, 'waiting');
    world.clock.advance(2 * config.orderWait);
    expect(await doneWith(data.event.id)).toMatchObject({ outcome: 'no_order', order_id: null });
    expect(entriesOf(data).at(-1)).toMatchObject({
      status: 'warning',
      summary: expect.stringContaining('the shop has no order 44'),
    });
    expect(world.peers.commands.size).toBe(0);
  });

  it('acts once for two events of one payment', async () => {
    const first = received('pi_i');
    const second = received('pi_i');
    await publish(first);
    await publish(second);
    await doneWith(first.event.id);
    await doneWith(second.event.id);
    expect([...world.peers.commands.values()]).toEqual([2]);
    const results = [...world.peers.entries.values()]
      .filter(({ event_type }) => event_type === 'action_executed')
      .map(({ details }) => details.result);
    expect(results.sort()).toEqual(['already_applied', 'applied']);
  });

  /**
   * The shop's payment plugin hears of the payment too, and moves the order: process_payment_intent_success() of
   * https://github.com/woocommerce/woocommerce-gateway-stripe/blob/develop/includes/class-wc-stripe-webhook-handler.php
   */
  it.each([
    ['the payment', 'the entry'],
    ['the entry', 'the payment'],
  ])('acts once for a payment and the entry into processing that comes of it: %s, then %s', async (...order) => {
    const { change_id, ...rest } = { ...identified(42), kind: 'status_changed' as const, to: 'processing', keys: [] };
    const change = { ...rest, change_id: `${change_id}:entered` };
    for (const [at, what] of order.entries()) {
      if (what === 'the payment') await publish(received('pi_e'));
      else {
        const { order: before, ...context } = contextOf(42);
        world.peers.orders.set(42, { ...context, order: { ...before, status: 'processing' } });
        const origin = { id: change.change_id, process_id: 'proc_shop', now: Date.now() };
        await world.deps.bus.publish(message('shop.order-changed.v1', change, origin));
      }
      await waitFor(() => [...world.peers.commands.values()].reduce((sum, one) => sum + one, 0) === at + 1);
    }
    expect([...world.peers.commands.values()]).toEqual([2]);
  });

  /** A clerk cancels the order while the move is on its way to us, or waits behind others: wc_update_order_status leaves no state for later. */
  it.each(['cancelled', 'refunded', 'failed', 'trash'])(
    'a move to processing of an order that is %s by now completes nothing',
    async (status) => {
      const { rule, ...record } = noteRule(1);
      const complete = { id: 'change_status_to_completed', settings: {} };
      const trigger = { id: 'order_processing', settings: {} };
      await restartWith({ ...record, rule: { ...rule, trigger, primaryAction: complete } });
      const { order, ...context } = contextOf(42);
      world.peers.orders.set(42, { ...context, order: { ...order, status } });
      const change_id = `chg_${status}`;
      const change = { ...identified(42), change_id, kind: 'status_changed' as const, to: 'processing', keys: [] };
      const origin = { id: change_id, process_id: 'proc_shop', now: Date.now() };
      await world.deps.bus.publish(message('shop.order-changed.v1', change, origin));
      await storedAs(change_id, 'done');
      expect(world.peers.commands.size).toBe(0);
      expect(allEntriesOf({ process_id: 'proc_shop' } as EventReceived).map(({ summary }) => summary)).toContainEqual(
        expect.stringMatching(
          /^Order 42 was set to processing, but by now it is .* Rules that change the status are not run/,
        ),
      );
    },
  );

  it('acts once for each partial refund, whichever events name it, and the order stays where it is', async () => {
    const refunded = noteRule(1);
    await restartWith({ ...refunded, rule: { ...refunded.rule, trigger: { id: 'refund_created', settings: {} } } });
    const about = (event: Partial<UniversalEvent>) => {
      const data = received('pi_r');
      return { ...data, event: { ...data.event, genericType: 'payment_refunded' as const, ...event } };
    };
    const refund = (id: string, amount: string) =>
      about({ eventType: 'payment.card.refund_created', primaryObjectType: 'refund', primaryObjectID: id, amount });
    const charge = (amount: string) =>
      about({
        eventType: 'payment.card.charge_refunded',
        primaryObjectType: 'charge',
        primaryObjectID: 'ch_r',
        amount,
      });
    const [first, both] = [refund('re_1', '15.00'), charge('25.00')];
    for (const data of [first, charge('15.00'), both, refund('re_2', '10.00'), first]) {
      await publish(data);
      await doneWith(data.event.id);
    }
    expect(world.peers.commands.size).toBe(2);
    expect(world.peers.orders.get(42)?.order.status).toBe('pending');
    const more = refund('re_3', '49.01');
    await publish(more);
    expect(await doneWith(more.event.id)).toMatchObject({ order_id: 42 });
    expect(world.peers.commands.size).toBe(2);
  });

  it('acts once for a refund that the shop and the gateway report, in either order, and reports each to the shop', async () => {
    const refunded = noteRule(1);
    await restartWith({ ...refunded, rule: { ...refunded.rule, trigger: { id: 'refund_created', settings: {} } } });
    const ofShop = async (refund_id: number, amount: string): Promise<void> => {
      const change_id = `chg_refund_${refund_id}`;
      const cause = { process_id: 'proc_shop', depth: 0, author: 'ada' };
      const at = new Date().toISOString();
      const refund = {
        change_id,
        kind: 'refunded' as const,
        order_id: 42,
        refund_id,
        amount,
        currency: 'EUR',
        at,
        cause,
      };
      const origin = { id: change_id, process_id: 'proc_shop', now: Date.now() };
      await world.deps.bus.publish(message('shop.order-refunded.v1', refund, origin));
      expect(await doneWith(change_id)).toMatchObject({ origin: 'shop', order_id: 42, outcome: 'success' });
    };
    const ofGateway = async (id: string, amount: string): Promise<void> => {
      const data = received('pi_s');
      const event = {
        ...data.event,
        genericType: 'payment_refunded' as const,
        eventType: 'payment.card.refund_created',
        primaryObjectType: 'refund',
        primaryObjectID: id,
        amount,
      };
      await publish({ ...data, event });
      await doneWith(event.id);
    };
    await ofShop(1, '10.00');
    await ofGateway('re_1', '10.00');
    await ofGateway('re_2', '4.00');
    await ofShop(2, '4.00');
    expect([...world.peers.commands.values()]).toEqual([2, 2]);
    await ofShop(3, '4.00');
    expect(world.peers.commands.size).toBe(3);
  });

  it('moves no order backwards: neither a failure of another payment nor one from before the payment completed', async () => {
    const paid = received('pi_v');
    await publish(paid);
    await doneWith(paid.event.id);
    const before = new Date(Date.parse(paid.event.occurredAt ?? paid.event.receivedAt) - 60_000).toISOString();
    const failure = (transaction: string, occurredAt: string | null) => {
      const data = received(transaction);
      return { ...data, event: { ...data.event, genericType: 'payment_failed' as const, occurredAt } };
    };
    const [late, other] = [failure('pi_v', before), failure('pi_other', null)];
    await publish(late);
    await publish(other);
    expect(await doneWith(late.event.id)).toMatchObject({ outcome: 'stale' });
    expect(await doneWith(other.event.id)).toMatchObject({ outcome: 'other_payment' });
  });
});
