import type { NewAuditEntry } from '@order-automation/contracts';
import type { Store } from '@order-automation/store';
import { buildAuditEntry, describeLanes } from '@order-automation/testing';
import { startAudit } from '../src';
import { openRuleLists } from '../src/rule-lists';
import { auditForEach, list, processView, record, story } from './audit';
import { stored } from './stored';

describeLanes('audit: record', (lane) => {
  const deps = auditForEach(lane);

  test('entries are stored once, counted truthfully, and read back oldest first with their parents', async () => {
    const entries = story('proc_a');
    expect(await record(deps().bus, entries)).toEqual({ recorded: 4, duplicates: 0 });
    expect(await record(deps().bus, [...entries, ...story('proc_b')])).toEqual({ recorded: 4, duplicates: 4 });
    const logs = await processView(deps().bus, 'proc_a');
    expect(logs.map(({ event_type }) => event_type)).toEqual(entries.map(({ event_type }) => event_type));
    const [first, evaluation] = logs.map(({ id }) => id);
    expect(logs.map(({ parent_id }) => parent_id)).toEqual([null, first, evaluation, first]);
    expect(logs[1]).toEqual({ ...entries[1], uid: undefined, id: evaluation, parent_id: first });
  });

  test('one uid twice in a request is stored once, an empty request is fine, an unknown process is 404', async () => {
    const [entry] = story('proc_c') as [NewAuditEntry];
    expect(await record(deps().bus, [entry, entry])).toEqual({ recorded: 1, duplicates: 1 });
    expect(await record(deps().bus, [])).toEqual({ recorded: 0, duplicates: 0 });
    await expect(processView(deps().bus, 'proc_nobody')).rejects.toMatchObject({
      status: 404,
      code: 'svc_process_not_found',
    });
  });

  test('secrets and cards that a sender forgot do not reach the log', async () => {
    const details = { headers: { authorization: 'Bearer abcdefghij' }, note: 'paid with 4242424242424242' };
    await record(deps().bus, [buildAuditEntry({ process_id: 'proc_d', summary: 'key sk_live_abcdefgh1234', details })]);
    const text = JSON.stringify(await processView(deps().bus, 'proc_d'));
    expect(text).not.toMatch(/abcdefgh|424242/);
    expect(text).toContain('key [redacted]');
  });

  test('rules that did not match are written once, however many events name them, and read back as they were', async () => {
    const rules = [
      { id: 1, name: 'Small orders', version: 3, expected: 'less than 10.00' },
      { id: 2, name: 'Card 4242424242424242', version: 1, expected: 'more than 90.00' },
    ];
    const decided = (actual: string, list: object[] = rules): Record<string, unknown> => ({
      decided_by: [
        { condition: 'order_total', label: 'Order total', actual, rules: list },
        { condition: 'product_type', label: 'Product type', actual: 'virtual', rules: list.slice(1) },
      ],
    });
    const changed = [rules[0], { ...rules[1], version: 2 }] as object[];
    const given = [decided('49.00'), decided('50.00'), decided('51.00'), decided('51.00', changed), { other: rules }];
    for (const [index, details] of given.entries())
      await record(deps().bus, [{ ...buildAuditEntry(), uid: `u${index}`, process_id: `proc_r${index}`, details }]);

    const hidden = JSON.parse(JSON.stringify(given).replaceAll('4242424242424242', '[card]'));
    const views = await Promise.all(given.map((_, index) => processView(deps().bus, `proc_r${index}`)));
    expect(views.map(([entry]) => entry?.details)).toEqual(hidden);
    const flat = await list(deps().bus, { per_page: 10 });
    expect(flat.logs.map(({ details }) => details).reverse()).toEqual(hidden);
    const rows = await list(deps().bus, { view: 'consolidated' });
    expect(rows.logs.find(({ process_id }) => process_id === 'proc_r2')?.details).toEqual(hidden[2]);

    expect(JSON.stringify(await stored(deps().store)).match(/"Small orders"/g)).toHaveLength(3);
    expect(await (await openRuleLists(deps().store)).documents.find({}).toArray()).toHaveLength(1);
  });

  test('what arrives together is written together: one write for 64 processes', async () => {
    const calls: string[] = [];
    const counted = await lane.deps({ store: counting(deps().store, calls) });
    const service = await startAudit(counted, {});
    await record(counted.bus, story('proc_warm').slice(0, 3));
    calls.length = 0;
    const entries = Array.from({ length: 64 }, (_, index) => story(`proc_e${index}`).slice(0, 3)).flat();
    await record(counted.bus, entries);
    const writes = calls.filter((name) => name !== 'counters.findOne' && name !== 'counters.updateOne');
    expect(writes).toEqual(['bundles.insertMany']);
    calls.length = 0;
    await Promise.all(Array.from({ length: 40 }, (_, index) => record(counted.bus, story(`proc_f${index}`))));
    expect(calls.filter((name) => name === 'bundles.insertMany').length).toBeLessThan(20);
    await service.close();
  });
});

/** Notes every call to a collection as `collection.method`. */
function counting(store: Store, calls: string[]): Store {
  return {
    collection: async (name, indexes) => {
      const documents = await store.collection<{ _id: string }>(name, indexes);
      const noted = new Proxy(documents, {
        get: (target, method: keyof typeof documents & string) => {
          const value = target[method];
          if (typeof value !== 'function') return value;
          return (...args: unknown[]) => {
            calls.push(`${name}.${method}`);
            return (value as (...given: unknown[]) => unknown).apply(target, args);
          };
        },
      });
      return noted as never;
    },
    joinsWrites: store.joinsWrites,
    explain: store.explain.bind(store),
    check: store.check.bind(store),
    close: async () => undefined,
  };
}
