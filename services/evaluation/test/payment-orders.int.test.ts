import type { GenericType } from '@order-automation/contracts';
import { buildRule, buildRuleData, describeLanes } from '@order-automation/testing';
import { useEvaluation } from './evaluation-world';
import { contextOf, received } from './peers';

const large = { id: 'order_total', settings: { operator: 'gt', amount: 1_000 } };
const never = buildRule({ id: 1, rule: buildRuleData({ conditions: [large], primaryAction: null }) });

describeLanes('evaluation: payments that the shop does not keep on their order', (lane) => {
  const world = useEvaluation(lane);

  /** A payment that names its order. */
  const paymentOf = (payment: string, order: number, genericType: GenericType = 'payment_completed') => {
    const data = received(`${payment}_${genericType}`, order);
    const orderReference = { ...data.event.orderReference, transactions: [payment] };
    return { ...data, event: { ...data.event, genericType, orderReference } };
  };
  /** What would happen to a refund that names its payment alone. */
  const refundOf = async (payment: string) => {
    const { event, ...data } = received(`${payment}_refund`);
    const orderReference = { gateway_ids: [], order_id: null, transaction_id: payment, transactions: [payment] };
    const refund = { ...event, genericType: 'payment_refunded', orderReference } as const;
    return simulate({ ...data, event: refund });
  };
  const ordersOf = async (payment: string) => (await refundOf(payment)).entries.map(({ order_id }) => order_id);
  const simulate = async ({ event, process_id, webhook }: ReturnType<typeof paymentOf>) =>
    (await world.deps.bus.request('evaluation.event.simulate.v1', { process_id, events: [event], webhook })).simulated;

  it('are found by a dry run as they are by what comes, and a dry run keeps none', async () => {
    await world.restartWith(never);
    world.peers.orders.set(60, contextOf(60));
    const payment = paymentOf('ch_60', 60);
    await world.publish(payment);
    await world.doneWith(payment.event.id);
    expect((await refundOf('ch_60')).entries.some(({ order_id }) => order_id === 60)).toBe(true);

    await simulate(paymentOf('ch_61', 60));
    expect((await refundOf('ch_61')).outcome).toBe('no_order');
  });

  it('are found by an attempt that named both, but an order that the payment named counts first', async () => {
    await world.restartWith(never);
    for (const id of [62, 63]) world.peers.orders.set(id, contextOf(id));
    const named = [
      ['payment_pending', 62],
      ['payment_completed', 63],
    ] as const;
    for (const [type, order] of named) {
      const sent = paymentOf('ch_62', order, type);
      await world.publish(sent);
      await world.doneWith(sent.event.id);
      expect(await ordersOf('ch_62')).toContain(order);
    }
  });
});
