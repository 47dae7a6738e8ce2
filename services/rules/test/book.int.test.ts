import { message, type RequestInput, unavailable } from '@order-automation/contracts';
import { describeLanes, waitFor } from '@order-automation/testing';
import { recordedQueries } from '../../../shared/store/test/recorded-queries';
import { openRules } from '../src/documents/rule-documents';
import { actor, edition, ruleData, useRules } from './rules-client';

describeLanes('rules: history, order, files', (lane) => {
  const rules = useRules(lane);
  const make = async (...names: string[]) => {
    const ids: number[] = [];
    for (const name of names) ids.push((await rules.create({ name })).rule_id);
    return ids;
  };
  const versions = (id: number) => rules.request('rules.rule.versions.v1', { id, page: 1, per_page: 20 });

  test('versions are listed, compared and restored', async () => {
    await rules.openAudit();
    const [id = 0] = await make('Big orders');
    await rules.save(id, { name: 'Bigger orders', rule: ruleData({ conditions: [] }), enabled: true });
    const listed = await versions(id);
    expect(listed.versions.map(({ version, name }) => [version, name])).toEqual([
      [2, 'Bigger orders'],
      [1, 'Big orders'],
    ]);
    expect(listed.pagination.total).toBe(2);
    const diff = await rules.request('rules.rule.diff.v1', { id, from: 1, to: 2 });
    expect(diff.summary).toBe('name "Big orders" → "Bigger orders"; enabled; conditions removed: order total');
    const restored = await rules.request('rules.rule.restore.v1', { id, version: 1, if_match: 2, edition, actor });
    expect(restored.record).toMatchObject({ version: 3, name: 'Big orders', enabled: true, rule: ruleData() });
    expect(rules.entries.at(-1)?.summary).toContain('conditions added: order total');
    const gone = rules.request('rules.rule.restore.v1', { id, version: 9, if_match: null, edition, actor });
    await expect(gone).rejects.toMatchObject({ status: 404, code: 'svc_rule_version_not_found' });
    await expect(versions(999)).rejects.toMatchObject({ status: 404, code: 'svc_rule_not_found' });
    const late = rules.request('rules.rule.restore.v1', { id, version: 1, if_match: 2, edition, actor });
    await expect(late).rejects.toMatchObject({ status: 412 });
  });

  test('a duplicate is disabled, behind the last, with a key of its own', async () => {
    const [id = 0] = await make('Big orders', 'Other');
    const copy = await rules.request('rules.rule.duplicate.v1', { id, name: 'Big orders', edition, actor });
    expect(copy.record).toMatchObject({ name: 'Big orders', enabled: false, position: 2, version: 1 });
    const { rules: exported } = await rules.request('rules.export.v1', { after: 0 });
    expect(exported.map(({ key }) => key)).toEqual(['big-orders', 'other', `big-orders-${copy.rule_id}`]);
  });

  test('rules change places, and only those that move get a version', async () => {
    const [a = 0, b = 0, c = 0] = await make('A', 'B', 'C');
    const { order } = await rules.request('rules.reorder.v1', { ids: [c, a], actor });
    expect(order.map(({ id }) => id)).toEqual([c, b, a]);
    expect((await rules.list()).rules.map(({ id, version }) => [id, version])).toEqual([
      [c, 2],
      [b, 1],
      [a, 2],
    ]);
    const refused = rules.request('rules.reorder.v1', { ids: [a, 999, a], actor });
    await expect(refused).rejects.toMatchObject({
      status: 400,
      data: { violations: [{ path: 'ids.1' }, { path: 'ids.2' }] },
    });
  });

  test('a search finds words of names by their beginnings, and ids; it walks an index', async () => {
    const [a = 0, b = 0] = await make('Große Bestellungen', 'Tag disputes of cards');
    const found = async (search: string) => (await rules.list({ search })).rules.map(({ id }) => id);
    expect(await found('große best')).toEqual([a]);
    expect(await found('DISP')).toEqual([b]);
    expect(await found(String(b))).toEqual([b]);
    expect(await found('isputes')).toEqual([]);
    const { store, plans } = recordedQueries(rules.deps().store);
    const documents = await openRules(store);
    await documents.page({ search: 'disp' }, 0, 5);
    await documents.after(3, 5);
    // SecantusDB explains an index of an array, and a sort behind an equality, as a scan.
    for (const plan of await plans()) expect(plan.usesIndex || plan.engine === 'secantus').toBe(true);
  });

  test('a template makes a rule; a name and rule data may replace its own', async () => {
    const input = { changes: { enabled: true }, template: 'complete-virtual-orders', edition, actor };
    const made = await rules.request('rules.rule.create.v1', input);
    expect(made.record).toMatchObject({ name: 'Complete paid virtual orders', enabled: true });
    const named = await rules.request('rules.rule.create.v1', { ...input, changes: { name: 'Mine' } });
    expect(named.record.name).toBe('Mine');
    const blocked = rules.request('rules.rule.create.v1', { ...input, template: 'hold-large-first-orders' });
    await expect(blocked).rejects.toMatchObject({
      status: 403,
      code: 'svc_licence_required',
      data: {
        violations: [
          { path: 'rule.conditions.1.id' },
          { path: 'rule.primaryAction.id' },
          { path: 'rule.secondaryActions.0.id' },
        ],
      },
    });
    const nothing = rules.request('rules.rule.create.v1', { changes: {}, edition, actor });
    await expect(nothing).rejects.toMatchObject({
      code: 'rest_missing_callback_param',
      data: { violations: [{ path: 'name' }, { path: 'rule' }] },
    });
  });

  test('an export is imported unchanged; a file says what is made, changed and deleted', async () => {
    await rules.openAudit();
    await make('Stays', 'Changes', 'Goes');
    const { rules: exported } = await rules.request('rules.export.v1', { after: 0 });
    const run = (file: unknown, mode: 'preview' | 'apply') =>
      rules.request('rules.import.v1', { file, mode, edition, actor });
    const same = await run({ version: 1, rules: exported }, 'apply');
    expect([same.create, same.change, same.delete].map(({ length }) => length)).toEqual([0, 0, 0]);
    expect(same.unchanged).toHaveLength(3);

    const [stays, changes] = exported;
    const added = { key: 'added', name: 'Added', enabled: true, rule: ruleData({ conditions: [] }) };
    const file = { version: 1, rules: [stays, { ...changes, enabled: true }, added] };
    const preview = await run(file, 'preview');
    expect(preview).toMatchObject({
      create: [{ key: 'added', id: null }],
      change: [{ key: 'changes', summary: 'enabled' }],
      unchanged: [{ key: 'stays' }],
      delete: [{ key: 'goes', name: 'Goes' }],
    });
    expect((await rules.list()).pagination.total).toBe(3);
    const applied = await run(file, 'apply');
    expect(applied.create).toMatchObject([{ key: 'added', id: expect.any(Number) }]);
    expect((await rules.list()).rules.map(({ name, enabled }) => [name, enabled])).toEqual([
      ['Stays', false],
      ['Changes', true],
      ['Added', true],
    ]);
    const again = await run(file, 'preview');
    expect(again.unchanged).toHaveLength(3);
  });

  test('imports of the same file at once both succeed: what one has deleted is as the other wants it', async () => {
    for (const name of ['A', 'B', 'C']) await rules.create({ name });
    const file = { version: 1, rules: [] };
    const both = [1, 2].map(() => rules.request('rules.import.v1', { file, mode: 'apply', edition, actor }));
    await Promise.all(both);
    expect((await rules.request('rules.rule.list.v1', { page: 1, per_page: 20 })).rules).toEqual([]);
  });

  test('a file is refused as a whole, with every violation, and nothing is written', async () => {
    const file = {
      version: 1,
      rules: [
        { key: 'a', name: 'A', rule: ruleData({ trigger: { id: 'order_procesing', settings: {} } }) },
        { key: 'a', name: 'B', rule: ruleData({ conditions: [{ id: 'order_total', settings: {} }] }) },
      ],
    };
    const refused = rules.request('rules.import.v1', { file, mode: 'apply', edition, actor });
    await expect(refused).rejects.toMatchObject({
      status: 400,
      data: {
        violations: [
          {
            path: 'rules.0.rule.trigger.id',
            message: 'unknown component order_procesing; did you mean order_processing?',
          },
          { path: 'rules.1.key' },
          { path: 'rules.1.rule.conditions.0.settings.operator' },
          { path: 'rules.1.rule.conditions.0.settings.amount' },
        ],
      },
    });
    expect((await rules.list()).pagination.total).toBe(0);
  });

  test('a file with components of the extended edition is refused with all of them named, and nothing is written', async () => {
    const paid = { id: 'payment_complete', settings: {} };
    const hold = { id: 'change_status_to_on_hold', settings: {} };
    const tag = { id: 'add_order_tag', settings: { tag: 'x' } };
    const entry = (key: string, rule: object) => ({ key, name: key, enabled: true, rule: ruleData(rule) });
    const file = {
      version: 1,
      rules: [
        entry('a', { trigger: paid, primaryAction: hold }),
        entry('b', {}),
        entry('c', { secondaryActions: [tag] }),
      ],
    };
    for (const mode of ['preview', 'apply'] as const)
      await expect(rules.request('rules.import.v1', { file, mode, edition, actor })).rejects.toMatchObject({
        status: 403,
        code: 'svc_licence_required',
        data: {
          violations: [
            { path: 'rules.0.rule.trigger.id' },
            { path: 'rules.0.rule.primaryAction.id' },
            { path: 'rules.2.rule.secondaryActions.0.id' },
          ],
        },
      });
    expect((await rules.list()).pagination.total).toBe(0);
  });

  test('warnings and conflicts come with the save, and are listed', async () => {
    const note = { id: 'add_order_note', settings: { note_text: 'x' } };
    const quiet = await rules.create({ enabled: true, rule: ruleData({ primaryAction: null }) });
    expect(quiet.warnings).toMatchObject([{ code: 'no_action', rule_ids: [quiet.rule_id] }]);
    const stops = await rules.create({
      name: 'Stops',
      enabled: true,
      stop_processing: true,
      position: 0,
      rule: ruleData({ conditions: [] }),
    });
    const shadowed = await rules.create({ name: 'Late', enabled: true, rule: ruleData({ secondaryActions: [note] }) });
    expect(shadowed.warnings).toMatchObject([{ code: 'shadowed', rule_ids: [shadowed.rule_id, stops.rule_id] }]);
    const { warnings } = await rules.request('rules.conflict.list.v1', {});
    expect(warnings.map(({ code }) => code).sort()).toEqual(['no_action', 'shadowed']);
    const fine = await rules.create({ name: 'Draft', rule: ruleData() });
    expect(fine.warnings).toBeUndefined();
  });

  test('conflicts among many rules are found, and a list that was cut says so', async () => {
    const stops = await rules.create({ enabled: true, position: 0, stop_processing: true, rule: ruleData() });
    const { documents } = await openRules(rules.deps().store);
    const stored = await documents.findOne({ _id: stops.rule_id });
    if (!stored) throw new Error('the rule was not stored');
    const triggers = ['order_refunded', 'order_failed'];
    const fill = (count: number, from: number) =>
      documents.insertMany(
        Array.from({ length: count }, (_, at) => {
          const trigger = { id: triggers[at % 2] as string, settings: {} };
          const rule = ruleData({ trigger, primaryAction: null });
          return { ...stored, _id: from + at, key: `r-${from + at}`, position: 1, stop_processing: false, rule };
        }),
      );
    await fill(450, 1_000);
    await documents.insertOne({ ...stored, _id: 5_000, key: 'last', position: 9, stop_processing: false });
    const all = await rules.request('rules.conflict.list.v1', {});
    const shadowed = { code: 'shadowed', rule_ids: [5_000, stops.rule_id] };
    expect([all.warnings.length, all.warnings.at(-1), all.is_truncated]).toMatchObject([451, shadowed, false]);
    await fill(200, 2_000);
    const cut = await rules.request('rules.conflict.list.v1', {});
    expect([cut.warnings.length, cut.is_truncated]).toEqual([499, true]);
  });

  test('products, categories and tags that the shop does not have are warned of; a shop that does not answer stops nothing', async () => {
    const asked: RequestInput<'shop.record.known.v1'>[] = [];
    const product = { id: 'product', settings: { products: ['101', '4711', '4712'], match: 'any' } };
    const category = { id: 'product_category', settings: { categories: ['11', '99'] } };
    const rule = ruleData({ conditions: [product, category] });
    const away = await rules.create({ name: 'Away', rule });
    expect([away.success, away.warnings]).toEqual([true, undefined]);

    let answer = true;
    const shop = await rules.deps().bus.respond('shop.record.known.v1', async (input) => {
      asked.push(input);
      if (!answer) throw unavailable('shop');
      return { missing: { products: ['4711', '4712'], categories: ['99'], product_tags: [] } };
    });
    const named = await rules.create({ name: 'Teas', enabled: true, rule });
    const about = { code: 'unknown_record', rule_ids: [named.rule_id] };
    const missing = [
      { ...about, message: expect.stringMatching(/"Product" names products 4711, 4712, which the shop does not have/) },
      { ...about, message: expect.stringMatching(/names category 99, which the shop does not have\.$/) },
    ];
    expect(named.warnings).toEqual(missing);
    expect(asked).toEqual([{ products: ['101', '4711', '4712'], categories: ['11', '99'], product_tags: [] }]);
    expect((await rules.request('rules.conflict.list.v1', {})).warnings).toEqual(missing);
    expect((await rules.create({ name: 'Plain' })).warnings).toBeUndefined();
    expect(asked).toHaveLength(2);

    answer = false;
    expect((await rules.save(named.rule_id, { name: 'Teas again' })).warnings).toBeUndefined();
    expect((await rules.request('rules.conflict.list.v1', {})).warnings).toEqual([]);
    await shop.close();
  });

  test('payment methods, roles and statuses that the shop does not have are warned of, in a file too, but not while it cannot be asked', async () => {
    const lists: Record<string, string[]> = {
      payment_methods: ['stripe', 'bacs'],
      users: ['customer', 'guest'],
      order_statuses: ['wc-processing', 'wc-packed'],
      shipping_methods: ['flat_rate', 'flat_rate:2'],
    };
    let answer = false;
    const shop = await rules.deps().bus.respond('shop.search.v1', async ({ source }) => {
      if (!answer) throw unavailable('shop');
      return { results: (lists[source] ?? []).map((value) => ({ value, label: value, meta: {} })) };
    });
    const conditions = [
      { id: 'payment_method', settings: { methods: ['strpe'] } },
      { id: 'payment_method', settings: { methods: ['bacs', 'cheqe'] } },
      { id: 'order_status', settings: { statuses: ['wc-shiped', 'packed', 'trash'] } },
      { id: 'customer_role', settings: { roles: ['guest', 'vip'] } },
      { id: 'shipping_method', settings: { methods: ['flat_rate:7', 'post'] } },
    ];
    const trigger = { id: 'any_status_change', settings: { to: ['wc-done'] } };
    const rule = ruleData({ trigger, conditions });
    const changes = { name: 'Odd', rule };
    const create = async () => {
      const { warnings = [] } = await rules.request('rules.rule.create.v1', { changes, edition: 'extended', actor });
      return warnings.flatMap(({ code, message }) => (code === 'unknown_record' ? message : []));
    };
    expect(await create()).toEqual([]);
    answer = true;
    const warnings = await create();
    expect(warnings).toEqual([
      expect.stringMatching(/^Rule "Odd": its trigger .* names order status done, .* have; the rule matches no order/),
      'Rule "Odd": its condition "Payment method" names payment method strpe, which the shop does not list; the rule matches no order without it.',
      expect.stringMatching(/payment method cheqe, which the shop does not list\.$/),
      expect.stringMatching(/order status shiped, which/),
      expect.stringMatching(/role vip, which/),
      expect.stringMatching(/shipping method post, which/),
    ]);
    const file = { version: 1, rules: [{ key: 'odd', name: 'Odd', enabled: true, rule }] };
    for (const mode of ['preview', 'apply'] as const) {
      const imported = await rules.request('rules.import.v1', { file, mode, edition: 'extended', actor });
      expect(imported.warnings?.map(({ message }) => message)).toEqual(warnings);
    }
    lists.users = ['guest'];
    lists.payment_methods = [];
    expect((await create()).filter((message) => /role|payment/.test(message))).toEqual([]);
    await shop.close();
  });

  test('calls and e-mails that could not be sent are warned of', async () => {
    const asked: RequestInput<'evaluation.sending.check.v1'>[] = [];
    const evaluation = await rules.deps().bus.respond('evaluation.sending.check.v1', async (input) => {
      asked.push(input);
      return {
        mail: false,
        missing_secrets: input.secret_refs,
        refused_urls: input.urls.map((url) => ({ url, reason: 'The address is not a public one.' })),
      };
    });
    const call = { url: 'http://10.0.0.1/orders/{{order.id}}', secret_ref: 'warehouse' };
    const mail = { to: 'shop@shop.example', subject: 'New', body: 'An order' };
    const secondaryActions = [
      { id: 'send_webhook', settings: call },
      { id: 'send_email', settings: mail },
    ];
    const rule = ruleData({ secondaryActions });
    const saved = await rules.request('rules.rule.create.v1', {
      changes: { name: 'Tell the warehouse', rule },
      edition: 'extended',
      actor,
    });
    expect(asked).toEqual([{ urls: ['http://10.0.0.1/orders/x'], secret_refs: ['warehouse'] }]);
    expect(saved.warnings?.map(({ code }) => code)).toEqual(['missing_secret', 'refused_address', 'no_mail_server']);
    expect(saved.warnings?.[0]?.message).toContain('no secret "warehouse" to sign its calls with');
    await evaluation.close();
  });

  test('a trigger on a name that no gateway has sent is warned of', async () => {
    const asked: RequestInput<'intake.event-type.check.v1'>[] = [];
    const intake = await rules.deps().bus.respond('intake.event-type.check.v1', async (input) => {
      asked.push(input);
      return {
        unknown: input.event_types.filter((name) => name.includes('payed')),
        unknown_senders: input.senders?.filter((name) => name.includes('molie')),
      };
    });
    const save = (...event_types: string[]) => {
      const rule = ruleData({ trigger: { id: 'webhook_event', settings: { event_types } } });
      const changes = { name: event_types.join(' '), rule };
      return rules.request('rules.rule.create.v1', { changes, edition: 'extended', actor });
    };
    const misspelt = await save('payment_failed', 'invoice.paid', 'invoice.payed');
    expect(asked).toEqual([{ event_types: ['invoice.paid', 'invoice.payed'], senders: [] }]);
    const message = expect.stringContaining('no gateway has sent an event named "invoice.payed" yet');
    expect(misspelt.warnings).toContainEqual({ code: 'unknown_event', rule_ids: [misspelt.rule_id], message });
    expect((await save('payment_failed')).warnings ?? []).not.toContainEqual(
      expect.objectContaining({ code: 'unknown_event' }),
    );
    expect(asked).toHaveLength(1);
    const gateways = ['generic/molie', 'gateway_card'];
    const rule = ruleData({ conditions: [{ id: 'source_gateway', settings: { gateways } }] });
    const changes = { name: 'Mollie', rule };
    const { warnings } = await rules.request('rules.rule.create.v1', { changes, edition: 'extended', actor });
    expect(asked[1]).toEqual({ event_types: [], senders: gateways });
    const text = expect.stringContaining('there is no gateway and no connection "generic/molie"');
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'unknown_sender', message: text }));
    await intake.close();
  });

  test('a cache asks for what it does not have, in pages', async () => {
    const [a = 0, b = 0] = await make('A', 'B');
    await rules.save(a, { enabled: true });
    const active = await rules.request('rules.active-versions.v1', { since: -1, after: 0 });
    expect(active).toMatchObject({ versions: [{ id: a, version: 2 }], next: null });
    const same = await rules.request('rules.active-versions.v1', { since: active.revision, after: 0 });
    expect(same).toEqual({ revision: active.revision, generation: 0, versions: [], next: null });
    const records = await rules.request('rules.records.v1', { ids: [b, 999, a] });
    expect(records.rules.map(({ id }) => id)).toEqual([b, a]);
    expect(records.missing).toEqual([999]);
  });

  test('large rules come in several answers', async () => {
    const long = { id: 'add_order_note', settings: { note_text: 'x'.repeat(5_000) } };
    const rule = ruleData({ secondaryActions: Array.from({ length: 18 }, () => long) });
    const ids: number[] = [];
    for (let made = 0; made < 8; made += 1) ids.push((await rules.create({ rule })).rule_id);
    const first = await rules.request('rules.records.v1', { ids });
    expect(first.rules.length).toBeGreaterThan(0);
    expect(first.rules.length).toBeLessThan(ids.length);
    const { rules: rest } = await rules.request('rules.records.v1', { ids: ids.slice(first.rules.length) });
    expect(rest.length).toBeGreaterThan(0);
  });

  test('statistics say which condition fails most', async () => {
    const [id = 0] = await make('A');
    const event = (n: number, condition: string) => ({
      event_id: `evt_${n}`,
      origin: 'intake' as const,
      outcome: 'no_match' as const,
      order_id: 1,
      at: '2026-01-15T10:00:00.000Z',
      rules: [id],
      matched: [],
      failed: [{ rule_id: id, condition }],
    });
    const events = [event(1, 'order_total'), event(2, 'order_total'), event(3, 'country')];
    await rules.deps().bus.publish(message('evaluation.events-done.v1', { events }, { id: 'done-1', now: Date.now() }));
    const stats = async () => (await rules.request('rules.rule.get.v1', { id })).record.stats;
    await waitFor(async () => (await stats()).run_count === 3);
    expect((await stats()).failed).toEqual({ order_total: 2, country: 1 });
  });

  test('components of a rule that does not exist are a 404', async () => {
    const listed = rules.request('rules.component.list.v1', { rule_id: 999, edition });
    await expect(listed).rejects.toMatchObject({ status: 404, code: 'svc_rule_not_found' });
  });
});
