import { waitFor } from '@order-automation/testing';
import { importOrders, payableOrders } from './product-client';
import { describeProducts, type Entry, payment, postSigned, processLog, type Running } from './products';

describeProducts('replaying an event', (start) => {
  let running: Running;
  beforeAll(async () => {
    running = await start({ DEMO_SHOP: 'false' });
    await importOrders(running.client, payableOrders(7001, 1));
  }, 120_000);
  afterAll(() => running?.stop(), 60_000);

  const ruleAbove = (amount: number) => ({
    trigger: { id: 'payment_complete', settings: {} },
    conditions: [{ id: 'order_total', settings: { operator: 'gt', amount } }],
    primaryAction: null,
    secondaryActions: [{ id: 'add_order_note', settings: { note_text: 'paid' } }],
  });

  const endOf = (processId: string): Promise<Entry[]> =>
    waitFor(
      async () => {
        const logs = await processLog(running, processId);
        return logs.some(({ event_type }) => event_type === 'process_completed') && logs;
      },
      { timeout: 30_000, describe: `the end of ${processId}` },
    );
  const verdictOf = (logs: Entry[], ruleId: number) =>
    logs.find(({ rule_id, event_type }) => rule_id === ruleId && event_type === 'rule_evaluation')?.summary;

  test('current rules and the original ones judge differently; the note is written once', async () => {
    const { client } = running;
    // The first request of a service just started may find its database busy.
    await waitFor(() => client('GET', '/v1/rules').catch(() => undefined), { timeout: 60_000 });
    const { rule_id } = await client<{ rule_id: number }>('POST', '/v1/rules', {
      name: 'Note it',
      enabled: true,
      rule: ruleAbove(40),
    });
    // Evaluation hears of a rule a moment after it is saved.
    const first = await waitFor(
      async () => {
        const { process_id } = await postSigned(running, payment(`replay${Date.now()}`, 7001));
        const logs = await endOf(process_id);
        return verdictOf(logs, rule_id) !== undefined && { process_id, verdict: verdictOf(logs, rule_id) };
      },
      { timeout: 60_000, describe: 'a payment that fires the rule' },
    );
    expect(first.verdict).toContain('Rule "Note it" matched');
    const { events } = await client<{ events: { id: string }[] }>(
      'GET',
      `/v1/webhooks/events?process_id=${first.process_id}`,
    );
    const address = `/v1/webhooks/events/${events[0]?.id}/replay`;
    const replay = async (rules: 'current' | 'original') => {
      const { process_id } = await waitFor(
        () => client<{ process_id: string }>('POST', address, { rules }).catch(() => undefined),
        { timeout: 30_000, describe: 'the end of the event reaches intake' },
      );
      return verdictOf(await endOf(process_id), rule_id);
    };

    await client('PUT', `/v1/rules/${rule_id}`, { rule: ruleAbove(500) });
    await waitFor(async () => (await replay('current'))?.includes('did not match'), { timeout: 60_000 });
    expect(await replay('original')).toContain('Rule "Note it" matched');
    const { notes } = await client<{ notes: { note: string }[] }>('GET', '/v1/shop/orders/7001');
    expect(notes.filter(({ note }) => note === 'paid')).toHaveLength(1);
  }, 180_000);
});
