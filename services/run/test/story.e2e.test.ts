import { waitFor } from '@order-automation/testing';
import { importOrders, payableOrders } from './product-client';
import { describeProducts, type Entry, payment, postSigned, processLog, type Running } from './products';

type RuleInput = {
  name: string;
  conditions?: unknown[];
  primaryAction?: unknown;
  secondaryActions?: unknown[];
  stop_processing?: boolean;
};
type OrderView = { status: string; date_completed: string | null; notes: { note: string; author: string }[] };

const complete = { id: 'change_status_to_completed', settings: { send_emails: false, update_stock: false } };
const note = (text: string) => ({
  id: 'add_order_note',
  settings: { note_text: text, is_customer_note: false, add_timestamp: false },
});
const totalAbove = (amount: number) => ({ id: 'order_total', settings: { operator: 'gt', amount } });

async function createRule(
  { client }: Running,
  { name, conditions = [], primaryAction = null, secondaryActions = [], ...rest }: RuleInput,
): Promise<number> {
  const rule = { trigger: { id: 'order_processing', settings: {} }, conditions, primaryAction, secondaryActions };
  const { rule_id } = await client<{ rule_id: number }>('POST', '/v1/rules', { name, enabled: true, ...rest, rule });
  await waitFor(() => knowsAllRules(client), { timeout: 30_000, describe: 'the rule where events are evaluated' });
  return rule_id;
}

/** Whether evaluation, which may be another process, has heard of every enabled rule. */
async function knowsAllRules(client: Running['client']): Promise<boolean> {
  const { pagination } = await client<{ pagination: { total: number } }>('GET', '/v1/rules?enabled=true&per_page=1');
  const seen = await client<{ checked: number; unreached: unknown[] }>('POST', '/v1/rules/arrival-order', {});
  return seen.checked + seen.unreached.length === pagination.total;
}

async function removeRules({ client }: Running): Promise<void> {
  const { rules } = await client<{ rules: { id: number }[] }>('GET', '/v1/rules?per_page=200');
  for (const { id } of rules) await client('DELETE', `/v1/rules/${id}`);
}

const orderOf = ({ client }: Running, id: number) => client<OrderView>('GET', `/v1/shop/orders/${id}`);

const ends = new Set(['process_completed', 'payment_repeated']);

async function completedProcess(running: Running, processId: string): Promise<Entry[]> {
  return waitFor(
    async () => {
      const logs = await processLog(running, processId);
      const types = logs.map(({ event_type }) => event_type);
      return types.includes('webhook_received') && types.some((type) => ends.has(type)) && logs;
    },
    { describe: `the end of ${processId}` },
  );
}

describeProducts('the main story', (start) => {
  let running: Running;
  let order = 5000;

  beforeAll(async () => {
    running = await start();
    await importOrders(running.client, payableOrders(5001, 20));
  }, 90_000);
  afterAll(() => running?.stop(), 60_000);
  beforeEach(async () => {
    order += 1;
    await removeRules(running);
  });

  it('changes the order once and tells it', async () => {
    const rule = await createRule(running, {
      name: 'Complete it',
      conditions: [totalAbove(40)],
      primaryAction: complete,
      secondaryActions: [note('paid by {{event.transaction_id}}')],
    });
    expect((await orderOf(running, order)).status).toBe('pending');
    const answer = await postSigned(running, payment(`story${order}`, order));
    expect(answer).toEqual({
      success: true,
      message: expect.stringContaining('1'),
      events_processed: 1,
      process_id: expect.stringMatching(/^proc_[0-9A-HJKMNP-TV-Z]{26}$/),
      execution_time: expect.stringMatching(/ms$/),
    });
    const logs = await completedProcess(running, answer.process_id);
    const after = await orderOf(running, order);
    expect(after.status).toBe('completed');
    expect(after.notes.filter((one) => one.note.includes(`pi_story${order}`))).toHaveLength(1);
    expect(logs.map(({ event_type, rule_id }) => [event_type, rule_id])).toEqual(
      expect.arrayContaining([
        ['webhook_received', null],
        ['rule_evaluation', rule],
        ['action_executed', rule],
        ['process_completed', null],
      ]),
    );
    expect(logs.filter(({ event_type }) => event_type === 'action_executed')).toHaveLength(2);
  });

  it('tells as readably why an order did not move', async () => {
    const rule = await createRule(running, {
      name: 'Only big ones',
      conditions: [totalAbove(500)],
      primaryAction: complete,
    });
    const { process_id } = await postSigned(running, payment(`big${order}`, order));
    const logs = await completedProcess(running, process_id);
    const entry = logs.find(({ rule_id }) => rule_id === rule);
    expect(entry?.event_type).toBe('rule_evaluation');
    expect(entry?.summary).toContain('Only big ones');
    expect(entry?.summary).toMatch(/total/i);
    expect(entry?.summary).toContain('500');
    expect(entry?.summary).toContain('49.00');
    expect(entry?.details.conditions).toEqual([
      expect.objectContaining({
        id: 'order_total',
        result: 'fail',
        expected: expect.stringContaining('500'),
        actual: expect.stringContaining('49.00'),
      }),
    ]);
    expect((await orderOf(running, order)).status).toBe('pending');
  });

  it('takes a repeated webhook as a duplicate with the first process id', async () => {
    await createRule(running, { name: 'Note', secondaryActions: [note('once {{event.transaction_id}}')] });
    const body = payment(`again${order}`, order);
    const first = await postSigned(running, body);
    const second = await postSigned(running, body);
    expect(second).toMatchObject({ success: true, events_processed: 0, duplicate: true, process_id: first.process_id });
    await completedProcess(running, first.process_id);
    await waitFor(async () =>
      (await processLog(running, first.process_id)).some(({ event_type }) => event_type === 'webhook_duplicate'),
    );
    expect((await orderOf(running, order)).notes.filter((one) => one.note.startsWith('once'))).toHaveLength(1);
  });

  it('acts once on a payment that two events tell of', async () => {
    await createRule(running, { name: 'Note', secondaryActions: [note('acted')] });
    const key = `pair${order}`;
    const first = await postSigned(running, payment(key, order));
    await completedProcess(running, first.process_id);
    const charge = JSON.stringify({
      id: `evt_charge_${key}`,
      type: 'charge.succeeded',
      created: Math.floor(Date.now() / 1000),
      data: {
        object: {
          id: `ch_${key}`,
          object: 'charge',
          payment_intent: `pi_${key}`,
          amount: 4900,
          currency: 'usd',
          metadata: { order_id: String(order) },
        },
      },
    });
    const second = await postSigned(running, charge);
    expect(second).toMatchObject({ success: true, events_processed: 1 });
    expect(second.duplicate).toBeUndefined();
    const logs = await completedProcess(running, second.process_id);
    expect(logs.find(({ event_type }) => event_type === 'action_executed')?.details.result).toBe('already_applied');
    expect((await orderOf(running, order)).notes.filter((one) => one.note === 'acted')).toHaveLength(1);
  });

  it('acts once on a payment whose invoice names no transaction, in whichever order they come', async () => {
    await createRule(running, { name: 'Note', secondaryActions: [note('acted')] });
    for (const invoiceFirst of [false, true]) {
      order += 1;
      const key = `invoice${order}`;
      const invoice = JSON.stringify({
        id: `evt_invoice_${key}`,
        type: 'invoice.payment_succeeded',
        created: Math.floor(Date.now() / 1000),
        data: {
          object: {
            id: `in_${key}`,
            object: 'invoice',
            billing_reason: 'subscription_create',
            amount_paid: 4900,
            currency: 'usd',
            metadata: { order_id: String(order) },
          },
        },
      });
      const bodies = invoiceFirst ? [invoice, payment(key, order)] : [payment(key, order), invoice];
      const outcomes: string[] = [];
      for (const body of bodies) {
        const logs = await completedProcess(running, (await postSigned(running, body)).process_id);
        outcomes.push(...logs.flatMap(({ details }) => (typeof details.outcome === 'string' ? [details.outcome] : [])));
      }
      expect(outcomes).toEqual(['success', 'payment_repeated']);
      expect((await orderOf(running, order)).notes.filter((one) => one.note === 'acted')).toHaveLength(1);
    }
  });

  it.each(['cancelled', 'refunded', 'completed', 'trash'])(
    'a late payment moves no order that is %s, and asks for a look',
    async (status) => {
      await createRule(running, { name: 'Complete', primaryAction: complete, secondaryActions: [note('moved')] });
      await running.client('PUT', `/v1/shop/orders/${order}`, { status });
      const { process_id } = await postSigned(running, payment(`late${order}`, order));
      const logs = await completedProcess(running, process_id);
      const warning = logs.find(({ event_type }) => event_type === 'late_payment');
      expect(warning).toMatchObject({ status: 'warning', order_id: order, summary: expect.stringContaining(status) });
      expect(await orderOf(running, order)).toMatchObject({ status, notes: [] });
    },
  );

  it('runs the rules of an order that is created in processing', async () => {
    await createRule(running, { name: 'Note', secondaryActions: [note('entered')] });
    await running.client('PUT', `/v1/shop/orders/${order + 500}`, { status: 'processing', total: '49.00' });
    await waitFor(async () => (await orderOf(running, order + 500)).notes.some((one) => one.note === 'entered'));
  });

  it('shows each rule the order as the rule before left it, and ends at one that stops', async () => {
    await createRule(running, { name: 'First', primaryAction: complete });
    await createRule(running, {
      name: 'Second',
      secondaryActions: [note('status is {{order.status}}')],
      stop_processing: true,
    });
    await createRule(running, { name: 'Third', secondaryActions: [note('never')] });
    const { process_id } = await postSigned(running, payment(`chain${order}`, order));
    const logs = await completedProcess(running, process_id);
    const notes = (await orderOf(running, order)).notes.map((one) => one.note);
    expect(notes).toContain('status is completed');
    expect(notes).not.toContain('never');
    expect(logs.filter(({ event_type }) => event_type === 'rule_evaluation')).toHaveLength(2);
  });

  it('runs no rule that changes an order when the amounts disagree', async () => {
    await createRule(running, { name: 'Complete', primaryAction: complete });
    const body = payment(`cheap${order}`, order)
      .toString()
      .replace('"amount":4900', '"amount":5900')
      .replace('"amount_received":4900', '"amount_received":5900');
    const { process_id } = await postSigned(running, body);
    const logs = await completedProcess(running, process_id);
    expect(logs.at(-1)?.summary).toContain('49.00');
    expect(logs.at(-1)?.details).toMatchObject({ outcome: 'amount_mismatch' });
    expect((await orderOf(running, order)).status).toBe('pending');
  });

  it('evaluates an event that comes before its order when the order appears, once', async () => {
    await createRule(running, { name: 'Note', secondaryActions: [note('early')] });
    const id = order + 700;
    const { process_id } = await postSigned(running, payment(`early${id}`, id));
    await waitFor(async () =>
      (await processLog(running, process_id)).some(
        ({ event_type, status, summary }) =>
          event_type === 'event_waiting' && status === 'pending' && summary.includes(`waiting for order ${id}`),
      ),
    );
    await importOrders(running.client, payableOrders(id, 1));
    const logs = await completedProcess(running, process_id);
    expect(logs.find(({ event_type }) => event_type === 'process_completed')?.details).toMatchObject({
      outcome: 'success',
    });
    expect((await orderOf(running, id)).notes.filter((one) => one.note === 'early')).toHaveLength(1);
  });

  it('lists the same process in the consolidated and the flat view', async () => {
    await createRule(running, { name: 'Note', secondaryActions: [note('hello')] });
    const { process_id } = await postSigned(running, payment(`list${order}`, order));
    await completedProcess(running, process_id);
    type List = {
      logs: { process_id: string; is_process_group?: boolean; process_count?: number }[];
      meta: { view_mode: string; consolidated_pagination: boolean };
    };
    const grouped = await running.client<List>('GET', `/v1/audit-log?process_id=${process_id}`);
    expect(grouped.logs).toEqual([expect.objectContaining({ process_id, is_process_group: true, process_count: 4 })]);
    expect(grouped.meta).toMatchObject({ view_mode: 'consolidated', consolidated_pagination: true });
    const flat = await running.client<List>('GET', `/v1/audit-log?view=flat&process_id=${process_id}`);
    expect(flat.logs).toHaveLength(4);
  });

  it('tests a rule on an order without changing anything', async () => {
    const rule_data = {
      trigger: { id: 'order_processing', settings: {} },
      conditions: [totalAbove(50), totalAbove(10)],
      primaryAction: complete,
      secondaryActions: [note('x')],
    };
    const { data } = await running.client<{ data: Record<string, unknown> }>('POST', '/pro/v1/debug-rule/test', {
      order_id: order,
      rule_data,
    });
    expect(data).toMatchObject({
      matched: false,
      conditions: [
        {
          id: 'order_total',
          result: 'fail',
          expected: expect.stringContaining('50'),
          actual: expect.stringContaining('49.00'),
        },
        { id: 'order_total', result: 'pass' },
      ],
      suggestions: [expect.stringContaining('49.00')],
      order_details: { id: order, status: 'pending', total: '49.00' },
    });
    const after = await orderOf(running, order);
    expect([after.status, after.notes]).toEqual(['pending', []]);
  });
});
