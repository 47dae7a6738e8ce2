import { join } from 'node:path';
import { waitFor } from '@order-automation/testing';
import { describeProducts, type Entry, post, processLog, type Running } from './products';

const EXTENSIONS = join(__dirname, '../../../docs/guide/examples/order-review.mjs');

describeProducts('components of an extension', (start) => {
  let running: Running;
  beforeAll(async () => {
    running = await start({ EXTENSIONS, DEMO_SHOP: 'true' });
  }, 120_000);
  afterAll(() => running?.stop(), 60_000);

  type Listed = { id: string; capability: string; accessible: boolean; extension?: string };
  type Listing = Record<'triggers' | 'conditions' | 'secondaryActions', Listed[]>;

  test('they are listed, tried, run by a webhook and explained, from configuration alone', async () => {
    const { client } = running;
    const listing = await client<Listing>('GET', '/v1/rule-builder/components');
    const added = [listing.triggers, listing.conditions, listing.secondaryActions].map(
      (list) => list.find(({ extension }) => extension !== undefined)?.id,
    );
    expect(added).toEqual(['dispute_lost', 'ships_abroad', 'request_review']);
    expect(listing.conditions.find(({ id }) => id === 'ships_abroad')).toMatchObject({
      capability: 'default',
      accessible: true,
      extension: 'order-review.mjs',
    });

    const rule = {
      trigger: { id: 'dispute_lost', settings: {} },
      conditions: [{ id: 'ships_abroad', settings: { except: ['AT'] } }],
      primaryAction: null,
      secondaryActions: [{ id: 'request_review', settings: { reviewer: 'Ada' } }],
    };
    const wrong = { ...rule, conditions: [{ id: 'ships_abroad', settings: { exept: ['AT'] } }] };
    await expect(client('POST', '/v1/rules', { name: 'Wrong', rule: wrong })).rejects.toThrow(
      'is not a setting of this component; did you mean except?',
    );
    const address = (country: string) => ({ first_name: 'Ada', last_name: 'Example', country });
    await client('PUT', '/v1/shop/orders/9100', {
      status: 'completed',
      currency: 'EUR',
      total: '49.00',
      billing: { ...address('DE'), email: 'ada@customer.example' },
      shipping: address('FR'),
    });
    const saved = await client<{ rule_id: number }>('POST', '/v1/rules', { name: 'Review', enabled: true, rule });
    const tried = await client<{ data: { conditions: unknown[]; would_run: unknown[] } }>(
      'POST',
      '/pro/v1/debug-rule/test',
      { order_id: 9100, rule_data: rule },
    );
    expect(tried.data.conditions).toMatchObject([{ id: 'ships_abroad', result: 'pass', actual: 'FR' }]);
    expect(tried.data.would_run).toMatchObject([{ message: 'ask Ada to review the order' }]);

    // Evaluation may not have read the rule yet: each try is an event of its own.
    const evaluated = await waitFor(
      async () => {
        const logs = await loseDispute();
        return logs.find(({ rule_id, event_type }) => rule_id === saved.rule_id && event_type === 'rule_evaluation');
      },
      { timeout: 30_000, describe: 'an event that fires the rule' },
    );
    expect(evaluated).toMatchObject({ status: 'success', order_id: 9100 });
    expect(JSON.stringify(evaluated?.details)).toContain('the order is billed in DE and shipped to FR');
    const { notes } = await client<{ notes: { note: string }[] }>('GET', '/v1/shop/orders/9100');
    expect(notes.map(({ note }) => note)).toContain('Ada, please review: billed in DE, shipped to FR (rule "Review").');
  }, 90_000);

  let disputes = 0;

  /** The entries of a dispute that is evaluated to its end. */
  async function loseDispute(): Promise<Entry[]> {
    disputes += 1;
    const body = JSON.stringify({ event: 'dispute_lost', id: `dispute-${disputes}`, order_id: 9100 });
    const { answer } = await post(running.url, { gateway: 'generic', body });
    expect(answer).toMatchObject({ success: true });
    return waitFor(
      async () => {
        const logs = await processLog(running, answer.process_id);
        return logs.some(({ event_type }) => event_type === 'process_completed') && logs;
      },
      { describe: `the end of ${answer.process_id}` },
    );
  }
});
