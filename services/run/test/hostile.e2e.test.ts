import { waitFor } from '@order-automation/testing';
import { cardSignature } from './card-webhook';
import { importOrders, payableOrders } from './product-client';
import {
  type Answer,
  describeProducts,
  payment,
  post,
  postSigned,
  processLog,
  type Running,
  type Webhook,
} from './products';

const order = 6001;
const now = () => Math.floor(Date.now() / 1000);

/** What each sender does wrong. */
const wrongs: Record<string, (running: Running) => Webhook> = {
  'no signature': () => ({ body: payment('h1', order) }),
  'a signature made with another secret': () => signed(payment('h2', order), 'whsec_of_somebody_else_entirely'),
  'an old signature': ({ secrets }) => signed(payment('h3', order), secrets.cardSecret, now() - 301),
  'a signature of the future': ({ secrets }) => signed(payment('h4', order), secrets.cardSecret, now() + 330),
  'a tampered body': ({ secrets }) => {
    const body = payment('h5', order);
    return {
      ...signed(body, secrets.cardSecret),
      body: body.toString().replace('"currency":"usd"', '"currency":"eur"'),
    };
  },
  'malformed JSON': ({ secrets }) => signed(Buffer.from('{"id":"evt_1",'), secrets.cardSecret),
  'an empty body': ({ secrets }) => signed(Buffer.alloc(0), secrets.cardSecret),
  '2 MB': ({ secrets }) =>
    signed(Buffer.from(JSON.stringify({ id: 'evt_big', filler: 'x'.repeat(2_000_000) })), secrets.cardSecret),
  'depth 10,000': ({ secrets }) =>
    signed(Buffer.from(`{"id":"evt_deep","a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`), secrets.cardSecret),
  'a Content-Encoding': ({ secrets }) => {
    const webhook = signed(payment('h6', order), secrets.cardSecret);
    return { ...webhook, headers: { ...webhook.headers, 'content-encoding': 'gzip' } };
  },
  'an unknown gateway': ({ secrets }) => ({
    ...signed(payment('h7', order), secrets.cardSecret),
    gateway: 'gateway_unheard_of',
  }),
  'an unknown connection': () => ({ gateway: 'generic/nobody', body: '{"event":"payment_completed","order_id":6001}' }),
};

function signed(body: Buffer, secret: string, at = now()): Webhook & { headers: Record<string, string> } {
  return { body, headers: { 'card-signature': cardSignature(secret, body, at) } };
}

describeProducts('hostile webhooks', (start) => {
  let running: Running;

  beforeAll(async () => {
    running = await start();
    await importOrders(running.client, payableOrders(order, 1));
    await running.client('POST', '/v1/rules', {
      name: 'A note for everything',
      enabled: true,
      rule: {
        trigger: { id: 'order_processing', settings: {} },
        conditions: [],
        primaryAction: null,
        secondaryActions: [{ id: 'add_order_note', settings: { note_text: 'acted' } }],
      },
    });
  }, 90_000);
  afterAll(() => running?.stop(), 60_000);

  it.each(Object.keys(wrongs))('%s: 200, success false, one entry, nothing changed, still serving', async (wrong) => {
    const { status, answer } = await post(running.url, (wrongs[wrong] as (typeof wrongs)[string])(running));
    expect(status).toBe(200);
    expect(answer).toEqual<Answer>({
      success: false,
      message: expect.any(String),
      process_id: expect.stringMatching(/^proc_/),
    });
    const logs = await waitFor(() => processLog(running, answer.process_id), { describe: 'the entry' });
    expect(logs.map(({ event_type, status: entryStatus }) => [event_type, entryStatus])).toEqual([
      ['webhook_rejected', 'error'],
    ]);
    const { notes, status: orderStatus } = await running.client<{ notes: unknown[]; status: string }>(
      'GET',
      `/v1/shop/orders/${order}`,
    );
    expect([notes, orderStatus]).toEqual([[], 'pending']);
  });

  it('takes a good one after all of them', async () => {
    expect(await postSigned(running, payment('good', order))).toMatchObject({ success: true, events_processed: 1 });
    const acted = async () => {
      const { notes } = await running.client<{ notes: { note: string }[] }>('GET', `/v1/shop/orders/${order}`);
      return notes.filter(({ note }) => note === 'acted').length === 1;
    };
    await waitFor(acted, { describe: 'the note' });
  });

  it('says the same to everybody who cannot prove who they are', async () => {
    const messages = new Set<string>();
    for (const wrong of [
      'no signature',
      'a signature made with another secret',
      'an old signature',
      'a tampered body',
    ]) {
      const { answer } = await post(running.url, (wrongs[wrong] as (typeof wrongs)[string])(running));
      messages.add(answer.message);
    }
    expect(messages.size).toBe(1);
  });
});
