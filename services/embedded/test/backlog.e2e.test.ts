import { waitFor } from '@order-automation/testing';
import { importOrders, payableOrders } from './product-client';
import { describeProducts, payment, postSigned, processLog, type Running } from './products';

/** Events that wait when a fresh one arrives; `BACKLOG=5000` by hand. */
const backlog = Number(process.env.BACKLOG ?? 300);
const firstOrder = 810_000;
const senders = 32;

const isDone = async (running: Running, processId: string): Promise<boolean> =>
  (await processLog(running, processId)).some(({ event_type }) => event_type === 'process_completed');

describeProducts(`a backlog of ${backlog} events`, (start, mode) => {
  let running: Running;
  /** Seconds; the stand-in of MongoDB takes ten times as long as SQLite. */
  const patience = mode === 'embedded' ? 10 : 60;

  beforeAll(async () => {
    running = await start({ LOG_LEVEL: 'warn', DEMO_SHOP: 'false' });
    await importOrders(running.client, payableOrders(firstOrder, backlog + 1));
    const note = { note_text: 'Paid', is_customer_note: false, add_timestamp: false };
    const rule = {
      trigger: { id: 'payment_complete', settings: {} },
      conditions: [],
      primaryAction: null,
      secondaryActions: [{ id: 'add_order_note', settings: note }],
    };
    await running.client('POST', '/v1/rules', { name: 'Note', enabled: true, rule });
  }, 120_000);
  afterAll(() => running?.stop());

  test(`a fresh event behind it is done within ${patience} s`, async () => {
    const { client } = running;
    await client('PUT', '/v1/webhooks/gateways/gateway_card', { paused: true });
    let next = 0;
    const sender = async (): Promise<void> => {
      while (next < backlog) {
        const index = next++;
        await postSigned(running, payment(`backlog-${index}`, firstOrder + index));
      }
    };
    await Promise.all(Array.from({ length: senders }, sender));
    await client('PUT', '/v1/webhooks/gateways/gateway_card', { paused: false });
    const { process_id } = await postSigned(running, payment('fresh', firstOrder + backlog));
    await waitFor(() => isDone(running, process_id), { timeout: patience * 1000, every: 50 });
    const told = () =>
      client<{ pagination: { total: number } }>('GET', '/v1/audit-log?view=flat&event_type=process_completed');
    await waitFor(async () => (await told()).pagination.total > backlog, { timeout: 120_000, every: 200 });
  }, 300_000);
});
