import type { AddressInfo } from 'node:net';
import { waitFor } from '@order-automation/testing';
import { SMTPServer } from 'smtp-server';
import { importOrders, importRecords, payableOrders } from './product-client';
import { describeProducts, type Entry, payment, postSigned, processLog, type Running } from './products';

/**
 * Cases that shops have reported in public about other integrations, each with the end it must have: a refunded order set back, a paid order
 * cancelled by an expiry, the cancellation of a second payment, ties within a second, a payment before its order, a checkout that races the
 * webhook, e-mails sent twice, stock reduced again, a redelivery after days.
 */
const now = Math.floor(Date.now() / 1000);

type OrderView = { status: string; notes: { note: string }[] };

function event(type: string, order: number, transaction: string, created: number, extra = {}): string {
  const object = {
    id: transaction,
    object: 'payment_intent',
    amount: 4900,
    amount_received: type.endsWith('succeeded') ? 4900 : 0,
    currency: 'usd',
    status: type.split('.')[1],
    metadata: { order_id: String(order) },
    ...extra,
  };
  return JSON.stringify({
    id: `evt_${type}_${transaction}_${created}`,
    object: 'event',
    type,
    created,
    livemode: false,
    data: { object },
  });
}

describeProducts('cases from the public', (start) => {
  let running: Running;
  let smtp: SMTPServer;
  const subjects: string[] = [];
  let order = 7000;

  const orderOf = (id: number) => running.client<OrderView>('GET', `/v1/shop/orders/${id}`);
  const change = (fields: object) => running.client('PUT', `/v1/shop/orders/${order}`, fields);
  const acted = async (id = order) => (await orderOf(id)).notes.filter(({ note }) => note === 'acted').length;
  const ends = new Set(['process_completed', 'payment_repeated', 'other_payment', 'event_stale']);

  /** Posts it and waits for its end. */
  const post = async (body: string | Buffer): Promise<Entry[]> => {
    const { process_id } = await postSigned(running, body as never);
    return waitFor(
      async () => {
        const logs = await processLog(running, process_id);
        return logs.some(({ event_type }) => ends.has(event_type)) && logs;
      },
      { describe: `the end of ${process_id}` },
    );
  };
  const outcomeOf = (logs: Entry[]) => logs.flatMap(({ details }) => (details.outcome ? [details.outcome] : []));

  const rule = (name: string, trigger: string, primary: string | null, secondaryActions: unknown[] = []) =>
    running.client('POST', '/v1/rules', {
      name,
      enabled: true,
      rule: {
        trigger: { id: trigger, settings: {} },
        conditions: [],
        primaryAction: primary && { id: primary, settings: { send_emails: true, update_stock: true } },
        secondaryActions,
      },
    });

  beforeAll(async () => {
    smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData: (stream, _session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const subject = /^Subject: (.*)$/m.exec(Buffer.concat(chunks).toString())?.[1] ?? '';
          subjects.push(subject.trim());
          done();
        });
      },
    });
    await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
    const { port } = smtp.server.address() as AddressInfo;
    running = await start({ SMTP_URL: `smtp://127.0.0.1:${port}`, SMTP_FROM: 'shop@example.com', LICENCE_KEY: 'demo' });
    const { rules } = await running.client<{ rules: { id: number }[] }>('GET', '/v1/rules?per_page=200');
    for (const { id } of rules) await running.client('DELETE', `/v1/rules/${id}`);
    const note = { id: 'add_order_note', settings: { note_text: 'acted' } };
    const mail = {
      id: 'send_email',
      settings: { to: '{{customer.email}}', subject: 'Paid {{order.id}}', body: 'Thank you.' },
    };
    await rule('Complete paid orders', 'order_processing', 'change_status_to_completed', [note, mail]);
    await rule('Cancel failed payments', 'payment_failed', 'change_status_to_cancelled');
    await importOrders(running.client, payableOrders(7001, 20));
  }, 90_000);
  afterAll(async () => {
    await running?.stop();
    await new Promise<void>((resolve) => smtp.close(() => resolve()));
  }, 60_000);
  beforeEach(() => {
    order += 1;
  });

  it('a refunded order is not set back to processing by a late event', async () => {
    await change({ status: 'refunded' });
    const logs = await post(event('payment_intent.succeeded', order, `pi_a${order}`, now - 600));
    expect(logs.map(({ event_type }) => event_type)).toContain('late_payment');
    expect([(await orderOf(order)).status, await acted()]).toEqual(['refunded', 0]);
  });

  it('the expiry of another payment does not cancel a paid order', async () => {
    await post(event('payment_intent.succeeded', order, `pi_b${order}`, now - 600));
    const logs = await post(event('payment_intent.canceled', order, `pi_expired${order}`, now, { status: 'canceled' }));
    expect(outcomeOf(logs)).toEqual(['other_payment']);
    expect((await orderOf(order)).status).toBe('completed');
  });

  it('the failure of a second payment does not cancel the order that the first has paid', async () => {
    await change({ transaction_id: `pi_first${order}`, status: 'processing' });
    await waitFor(async () => (await orderOf(order)).status === 'completed');
    const logs = await post(event('payment_intent.payment_failed', order, `pi_second${order}`, now));
    expect(outcomeOf(logs)).toEqual(['other_payment']);
    expect((await orderOf(order)).status).toBe('completed');
  });

  it('of two states in one second the later one stands, in whichever order they come', async () => {
    await post(event('payment_intent.succeeded', order, `pi_tie${order}`, now));
    const logs = await post(event('payment_intent.payment_failed', order, `pi_tie${order}`, now));
    expect(outcomeOf(logs)).toEqual(['stale']);
    expect((await orderOf(order)).status).toBe('completed');
  });

  it('a payment that comes before its order takes effect when the order appears', async () => {
    const id = order + 500;
    await postSigned(running, payment(`before${id}`, id));
    await importOrders(running.client, payableOrders(id, 1));
    await waitFor(async () => (await orderOf(id)).status === 'completed');
    await waitFor(async () => (await acted(id)) > 0, { describe: 'the entry of the action' });
    expect(await acted(id)).toBe(1);
  });

  it('a checkout that completes the order before the webhook comes: nothing is done twice, and the log says so', async () => {
    await change({ status: 'completed', transaction_id: `pi_race${order}` });
    const logs = await post(event('payment_intent.succeeded', order, `pi_race${order}`, now));
    expect(logs.map(({ event_type }) => event_type)).not.toContain('action_executed');
    expect([(await orderOf(order)).status, await acted()]).toEqual(['completed', 0]);
  });

  it('two events of one payment send one e-mail', async () => {
    const mails = () => subjects.filter((subject) => subject === `Paid ${order}`).length;
    await post(event('payment_intent.succeeded', order, `pi_mail${order}`, now));
    const charge = { object: 'charge', id: `ch_mail${order}`, payment_intent: `pi_mail${order}` };
    await post(event('charge.succeeded', order, `ch_mail${order}`, now, charge));
    await waitFor(() => mails() > 0);
    const logged = () => subjects.filter((subject) => subject === `Your order #${order} is complete`).length;
    await waitFor(() => logged() > 0);
    expect([mails(), logged(), await acted()]).toEqual([1, 1, 1]);
  });

  it('stock that the shop has reduced is not reduced again', async () => {
    const product = { id: 9100, name: 'Mug', manage_stock: true, stock_quantity: 10 };
    await importRecords(running.client, 'product', [product]);
    const line_items = [{ product_id: 9100, quantity: 1, total: '49.00' }];
    await change({ line_items, meta_data: [{ key: '_order_stock_reduced', value: 'yes' }] });
    const logs = await post(event('payment_intent.succeeded', order, `pi_stock${order}`, now));
    const texts = logs.map(({ summary }) => summary).join('\n');
    expect(texts).toContain('Stock had been reduced before.');
  });

  it('a redelivery after three days is a duplicate, and another event of the payment does nothing again', async () => {
    const first = event('payment_intent.succeeded', order, `pi_days${order}`, now - 3 * 86_400);
    await post(first);
    expect(await postSigned(running, first as never)).toMatchObject({ success: true, duplicate: true });
    const charge = { object: 'charge', id: `ch_days${order}`, payment_intent: `pi_days${order}` };
    await post(event('charge.succeeded', order, `ch_days${order}`, now, charge));
    expect([(await orderOf(order)).status, await acted()]).toEqual(['completed', 1]);
  });
});
