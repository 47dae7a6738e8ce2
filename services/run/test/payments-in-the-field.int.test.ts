import type { EventReceived, UniversalEvent } from '@order-automation/contracts';
import { describeLanes, waitFor } from '@order-automation/testing';
import { addNote, changeStatus, eventOf, type OrderWorld, startOrderWorld } from './order-world';

jest.setTimeout(120_000);

const rule = (trigger: string, settings: object, note: string, status?: Parameters<typeof changeStatus>[0]) => ({
  trigger: { id: trigger, settings: { ...settings } },
  conditions: [],
  primaryAction: status ? changeStatus(status) : null,
  secondaryActions: [addNote(note)],
});

describeLanes('what payments of the field do to their orders, and what the log says of it', (lane) => {
  let world: OrderWorld;
  let next = 7_000;

  beforeAll(async () => {
    world = await startOrderWorld(lane, 2);
    await world.createRule('paid', rule('order_processing', {}, 'PAID', 'completed'));
    await world.createRule('renewed', rule('subscription_renewal', {}, 'RENEWAL'));
    await world.createRule('disputed', rule('dispute_opened', {}, 'DISPUTE', 'on-hold'));
    await world.createRule('refunded', rule('refund_created', {}, 'REFUND'));
    await world.createRule('updated', rule('webhook_event', { event_types: ['order_updated'] }, 'UPDATED'));
    await world.startInstances();
  });
  afterAll(() => world.close());

  const newOrder = async (fields: Record<string, unknown> = {}): Promise<number> => {
    next += 1;
    await world.createOrder(next, fields);
    return next;
  };
  /** One event after the other, each with what it is about; resolves with what the log says of each in the end. */
  const happen = async (order: number, ...events: Partial<UniversalEvent>[]): Promise<string[]> => {
    const told: string[] = [];
    for (const over of events) {
      const data: EventReceived = eventOf(order, { currency: 'EUR', ...over });
      await world.publish([data]);
      await waitFor(() => world.isDone(data.event.id), { timeout: 30_000, describe: data.event.id });
      const own = world.entries().filter(({ process_id }) => process_id === data.process_id);
      told.push(own.find(({ uid }) => uid === `${data.event.id}:outcome`)?.summary ?? '');
    }
    return told;
  };
  const endOf = async (order: number): Promise<string[]> => {
    const { status, notes } = await world.order(order);
    const ours = notes.map(({ note }) => note).filter((note) => /^[A-Z]+$/.test(note));
    return [status, ...ours.toSorted()];
  };
  const named = (order: number, over: Partial<UniversalEvent['orderReference']>) => ({
    orderReference: { gateway_ids: [], order_id: String(order), transaction_id: null, ...over },
  });
  const sale = (order: number, transactionID: string, amount: string): Partial<UniversalEvent> => ({
    genericType: 'renewal_payment_completed',
    eventType: 'payment.wallet.payment_sale_completed',
    transactionID,
    amount,
    subscriptionID: `I-${order}`,
  });

  it.each([
    ['40.00', '60.00'],
    ['60.00', '40.00'],
  ])('captures of %s and %s complete the order once', async (first, second) => {
    const order = await newOrder({ total: '100.00' });
    const [part] = await happen(order, { transactionID: `a${order}`, amount: first });
    expect(part).toMatch(
      new RegExp(`${first} of 100\\.00 EUR is paid\\. Rules for paid orders run when the rest has come\\.$`),
    );
    expect(await endOf(order)).toEqual(['pending']);
    await happen(order, { transactionID: `b${order}`, amount: second }, { transactionID: `b${order}`, amount: second });
    expect(await endOf(order)).toEqual(['completed', 'PAID']);
  });

  it('a payment that a second event reports says which event reported it first', async () => {
    const order = await newOrder();
    const charge = { eventType: 'payment.card.charge_succeeded', transactionID: `r${order}` };
    const [, second] = await happen(order, { transactionID: `r${order}` }, charge);
    expect(second).toMatch(
      /: this payment was seen before \(payment\.card\.payment_intent_succeeded\), and there is no enabled rule/,
    );
  });

  it('the first payment of a subscription pays its order, the second month is a renewal of any amount', async () => {
    const order = await newOrder();
    const [, second] = await happen(order, sale(order, `s1${order}`, '49.00'), sale(order, `s2${order}`, '61.00'));
    expect(await endOf(order)).toEqual(['completed', 'PAID', 'RENEWAL']);
    expect(second).toMatch(
      /This payment is a renewal \(the subscription has had its first payment\): rules for paid orders/,
    );
  });

  it('a reference that is the id of one order and the number of another moves neither, and both say so', async () => {
    const order = await newOrder({ number: 'N1' });
    const other = await newOrder({ number: String(order) });
    const name = `WC-${order}_1698765432`;
    const [told] = await happen(order, { transactionID: 'pi_amb', ...named(order, { order_id: name }) });
    expect(told).toBe(
      `payment.card.payment_intent_succeeded: it is not clear which order this is about: "${name}" is order ${order} by its id, and order ${other} by its number (${order}). Neither was changed. Choose in the settings of the sender whether its events refer to an order by its id or by its number (order_reference), then replay the event.`,
    );
    expect([await endOf(order), await endOf(other)]).toEqual([['pending'], ['pending']]);
    const about = world.entries().filter(({ event_type }) => event_type === 'order_ambiguous');
    expect(about.map(({ order_id }) => order_id)).toEqual(expect.arrayContaining([order, other]));
  });

  it('an event with the key of another order moves nothing', async () => {
    const order = await newOrder({ order_key: 'wc_order_own' });
    const claims = { order_key: 'wc_order_other' };
    const [told] = await happen(order, { transactionID: 'pi_for', ...named(order, { claims }) });
    expect(told).toBe(
      `payment.card.payment_intent_succeeded: this is not about an order of this shop, so nothing was changed. It names "${order}". The event has another order key than the order.`,
    );
    expect(await endOf(order)).toEqual(['pending']);
  });

  it('a dispute may exceed its order; a refund may not', async () => {
    const order = await newOrder({ status: 'completed', transaction_id: 'pi_d' });
    const refund = {
      genericType: 'payment_refunded',
      primaryObjectType: 'refund',
      eventType: 'payment.card.refund_created',
    } as const;
    await happen(order, { ...refund, primaryObjectID: 're_1', transactionID: 'pi_d', amount: '49.01' });
    expect(await endOf(order)).toEqual(['completed']);
    const dispute = { genericType: 'dispute_opened', eventType: 'payment.card.charge_dispute_created' } as const;
    await happen(order, {
      ...dispute,
      primaryObjectType: 'dispute',
      primaryObjectID: 'dp_1',
      transactionID: 'pi_d',
      amount: '49.87',
    });
    expect(await endOf(order)).toEqual(['on-hold', 'DISPUTE']);
  });

  it('a payment for a draft counts at once; of one for an order in the trash a person hears', async () => {
    const draft = await newOrder({ status: 'checkout-draft' });
    await happen(draft, { amount: '49.00' });
    expect(await endOf(draft)).toEqual(['completed', 'PAID']);
    const trash = await newOrder({ status: 'trash' });
    await happen(trash, { amount: '49.00' });
    expect(await endOf(trash)).toEqual(['trash']);
    const late = world
      .entries()
      .find(({ order_id, event_type }) => order_id === trash && event_type === 'late_payment');
    expect(late).toMatchObject({
      status: 'warning',
      summary: expect.stringContaining('while the order is in the trash'),
    });
  });

  it('a payment under another event is said to be one that was seen', async () => {
    const order = await newOrder();
    const [, again] = await happen(order, { transactionID: 'pi_again' }, { transactionID: 'pi_again' });
    expect(again).toBe(
      `payment.card.payment_intent_succeeded for order ${order}: this payment was seen before (payment.card.payment_intent_succeeded), and there is no enabled rule whose trigger it fires.`,
    );
    expect(await endOf(order)).toEqual(['completed', 'PAID']);
  });

  it('each webhook is an event to rules on webhooks', async () => {
    const order = await newOrder({ status: 'completed' });
    const update = { genericType: 'order_updated', eventType: 'payment.shop.order_updated', amount: null } as const;
    await happen(order, update, update, update);
    expect(await endOf(order)).toEqual(['completed', 'UPDATED', 'UPDATED', 'UPDATED']);
  });
});
