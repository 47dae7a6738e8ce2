import { waitFor } from '@order-automation/testing';
import { type Answer, assistant, basic, type Login, transports } from './assistant';
import { injections, markOf, obeyed } from './injections';
import { importOrders, payableOrders } from './product-client';
import { describeProducts, type Entry, payment, postSigned, processLog, type Running } from './products';

const firstOrder = 8001;
const paidOrder = 7901;

const choice = (id: string, settings = {}) => ({ id, settings });
const draft = { trigger: choice('payment_failed'), conditions: [], primaryAction: null, secondaryActions: [] };

describeProducts('an assistant that asks', (start) => {
  let running: Running;
  let admin: Login;
  beforeAll(async () => {
    running = await start({ DEMO_SHOP: 'false', CORS_ORIGINS: 'https://assistant.example' });
    admin = { user: 'admin', password: running.secrets.applicationPassword };
    await importOrders(running.client, payableOrders(paidOrder, 1));
    await waitFor(() => running.client('GET', '/v1/rules').catch(() => undefined), { timeout: 60_000 });
    const cancel = { ...draft, primaryAction: choice('change_status_to_cancelled') };
    await running.client('POST', '/v1/rules', { name: 'Never enable this', enabled: false, rule: cancel });
    const rule = {
      trigger: choice('payment_complete'),
      conditions: [],
      primaryAction: choice('change_status_to_completed'),
      secondaryActions: [choice('add_order_note', { note_text: 'From {{customer.name}}' })],
    };
    await running.client('POST', '/v1/rules', { name: 'Complete paid orders', enabled: true, rule });
  }, 180_000);
  afterAll(() => running?.stop(), 60_000);

  const completed = (count: number) =>
    waitFor(
      async () => {
        const path = '/v1/audit-log?view=flat&event_type=process_completed&per_page=200';
        const { logs } = await running.client<{ logs: Entry[] }>('GET', path);
        return logs.length >= count && logs;
      },
      { timeout: 120_000, describe: 'the end of all payments' },
    );

  test('each tool answers about a payment, over HTTP and over orderctl, with entries and the head that proves them', async () => {
    const { process_id } = await postSigned(running, payment('asked', paidOrder));
    await completed(1);
    const ids = (await processLog(running, process_id)).map(({ id }) => id);
    const { logs } = await running.client<{ logs: Entry[] }>('GET', `/v1/audit-log?view=flat&order_id=${paidOrder}`);
    const known = [...ids, ...logs.map(({ id }) => id)];
    const aboutOrder = { order_id: paidOrder };
    for (const over of Object.keys(transports) as (keyof typeof transports)[]) {
      const { call, tools, close } = await assistant(running, over, admin);
      const inputs: Record<string, Record<string, unknown>> = {
        search_orders: { search: 'ada@customer.example' },
        read_order: aboutOrder,
        why: aboutOrder,
        search_log: { ...aboutOrder, event_type: 'action_executed' },
        read_process: { process_id },
        explain: { process_id },
        back_test: { rule: { ...draft, trigger: choice('payment_complete') }, last: 10 },
        list_rules: {},
        list_components: {},
        needs_attention: {},
        verify: {},
        draft_rule: { name: `Drafted over ${over}`, rule: draft, shadow: over === 'orderctl mcp' },
      };
      expect((await tools()).map(({ name }) => name)).toEqual(Object.keys(inputs));
      const answers: Record<string, Answer> = {};
      for (const [name, input] of Object.entries(inputs)) {
        const { isError, text, answer } = await call(name, input);
        expect([name, isError, JSON.parse(text)]).toEqual([name, false, answer]);
        answers[name] = answer;
      }
      const cited = (name: string) => answers[name]?.cites ?? [];
      expect(answers.why?.data).toMatchObject({ order_status: 'completed', outcome: 'done' });
      expect(answers.read_process?.cites).toEqual(ids);
      for (const name of ['search_orders', 'read_order', 'why', 'search_log', 'explain', 'back_test'])
        expect([name, cited(name).length > 0, cited(name).filter((id) => !known.includes(id))]).toEqual([
          name,
          true,
          [],
        ]);
      for (const name of ['list_rules', 'draft_rule']) expect([name, cited(name).length > 0]).toEqual([name, true]);
      expect(answers.back_test?.data).toMatchObject({ state: 'done', result: { matching: { events: 1 } } });
      expect(answers.verify?.data).toMatchObject({ valid: true });
      const isShadow = over === 'orderctl mcp' && { shadow: true };
      expect(answers.draft_rule?.data).toMatchObject({ rule: { enabled: false, ...isShadow } });
      const proved = await waitFor(
        async () => {
          const { answer } = await call('read_process', { process_id });
          return answer.not_yet_sealed.length === 0 && answer;
        },
        { timeout: 90_000, describe: 'the seal' },
      );
      expect(proved.head?.checkpoint).toMatch(/\n[0-9]+\n/);
      expect(proved.cites.every((id) => id < (proved.head?.below_id ?? 0))).toBe(true);
      await close();
    }
  }, 300_000);

  test('nobody asks without an application password, and POST is the one method', async () => {
    const { url, secrets } = running;
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const answerTo = (more: Record<string, string>) =>
      fetch(`${url}/mcp`, { method: 'POST', headers: { ...headers, ...more }, body });
    const login = await fetch(`${url}/v1/auth/login`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ username: 'admin', password: secrets.env.ADMIN_PASSWORD }),
    });
    const cookie = String(login.headers.get('set-cookie')).split(';')[0] ?? '';
    for (const nobody of [{}, { authorization: basic({ user: 'admin', password: 'wrong' }) }, { cookie }]) {
      const refused = await answerTo(nobody);
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
        401,
        expect.stringContaining('Basic'),
      ]);
      expect(await refused.json()).toMatchObject({ code: 'rest_forbidden' });
    }
    const authorization = basic(admin);
    expect((await answerTo({ authorization })).status).toBe(200);
    // "If the Origin header is present and invalid, servers MUST respond with HTTP 403 Forbidden": modelcontextprotocol.io/specification/2025-11-25/basic/transports
    for (const [origin, status] of [
      ['https://assistant.example', 200],
      ['https://elsewhere.example', 403],
      ['null', 403],
    ] as const)
      expect([origin, (await answerTo({ authorization, origin })).status]).toEqual([origin, status]);
    for (const method of ['GET', 'DELETE']) {
      const refused = await fetch(`${url}/mcp`, { method, headers: { ...headers, authorization: basic(admin) } });
      expect([method, refused.status, refused.headers.get('allow')]).toEqual([method, 405, 'POST']);
    }
    const wrong = assistant(running, 'POST /mcp', { user: 'admin', password: 'wrong' });
    await expect(wrong).rejects.toThrow();
  }, 120_000);

  test('an assistant may do what its password may: a viewer and a password that only reads draft nothing', async () => {
    const { url, client } = running;
    const user = { username: 'vera', role: 'shop_viewer', password: 'a password of vera' };
    await client('POST', '/v1/auth/users', user);
    const json = { 'content-type': 'application/json' };
    const { role: _role, ...credentials } = user;
    const body = JSON.stringify(credentials);
    const login = await fetch(`${url}/v1/auth/login`, { method: 'POST', headers: json, body });
    const { nonce } = (await login.json()) as { nonce: string };
    const cookie = String(login.headers.get('set-cookie')).split(';')[0] ?? '';
    const made = await fetch(`${url}/v1/auth/application-passwords`, {
      method: 'POST',
      headers: { ...json, cookie, 'x-host-nonce': nonce },
      body: JSON.stringify({ name: 'assistant' }),
    });
    const viewer = { user: 'vera', password: ((await made.json()) as { password: string }).password };
    const reader = await client<{ password: string }>('POST', '/v1/auth/application-passwords', {
      name: 'assistant',
      scope: 'read',
    });
    const rules = await client('GET', '/v1/rules?per_page=200');
    const refused = {
      isError: true,
      answer: { data: { refusal: { code: 'rest_forbidden', data: { status: 403 } } }, cites: [] },
    };
    const may = async (login: Login, allowed: string[], forbidden: string[]) => {
      const { call, close } = await assistant(running, 'POST /mcp', login);
      const input = (name: string) => (/order|why|explain/.test(name) ? { order_id: paidOrder } : {});
      for (const name of allowed) expect([name, (await call(name, input(name))).isError]).toEqual([name, false]);
      for (const name of forbidden) expect([name, await call(name, input(name))]).toMatchObject([name, refused]);
      expect(await call('draft_rule', { name: 'Mine', rule: draft })).toMatchObject(refused);
      await close();
    };
    await may(viewer, ['search_log', 'needs_attention', 'verify'], ['read_order', 'why', 'list_rules']);
    await may({ ...admin, password: reader.password }, ['read_order', 'why', 'list_rules', 'verify'], ['explain']);
    expect(await client('GET', '/v1/rules?per_page=200')).toEqual(rules);
  }, 120_000);

  const acts =
    'rule_created,rule_modified,rule_deleted,account_changed,webhook_settings_changed,webhook_replayed,delivery_resent,audit_deleted,refund_created';

  test('a hundred texts with instructions are data, and cause no action', async () => {
    const { client } = running;
    const people = payableOrders(firstOrder, injections.length).map((order, index) => {
      const text = injections[index] ?? '';
      const named = { ...(order.billing as object), first_name: text, company: text };
      const line = { ...(order.line_items as object[])[0], name: text };
      const meta_data = [{ id: 1, key: 'gift_message', value: text }];
      return { ...order, billing: named, customer_note: text, line_items: [line], meta_data };
    });
    await importOrders(client, people);
    const processes: string[] = [];
    for (const [index, text] of injections.entries()) {
      const body = JSON.parse(payment(`injected${index}`, firstOrder + index).toString());
      body.data.object.description = text;
      Object.assign(body.data.object.metadata, { customer_name: text, cart: text });
      body.data.object.shipping.name = text;
      processes.push((await postSigned(running, JSON.stringify(body))).process_id);
    }
    await completed(injections.length + 1);
    const state = async () => ({
      rules: await client('GET', '/v1/rules?per_page=200'),
      orders: await client('GET', '/v1/shop/orders?per_page=200'),
      users: await client('GET', '/v1/auth/users'),
      connections: await client('GET', '/v1/webhooks'),
      secrets: await client('GET', '/v1/secrets'),
      events: (await client<{ pagination: object }>('GET', '/v1/webhooks/events?per_page=1')).pagination,
      // Of payments the shop still hands entries over; of what somebody did there are no more.
      log: (await client<{ pagination: object }>('GET', `/v1/audit-log?view=flat&event_type=${acts}&per_page=1`))
        .pagination,
    });
    await waitFor(
      async () => {
        type Rules = { rules: { stats: { run_count: number } }[] };
        const { rules } = await client<Rules>('GET', '/v1/rules?enabled=true');
        return rules[0]?.stats.run_count === injections.length + 1;
      },
      { timeout: 60_000, describe: 'the statistics of the rule' },
    );
    const before = await state();

    const { client: connected, call, tools, close } = await assistant(running, 'POST /mcp', admin);
    const [offered, instructions] = [await tools(), connected.getInstructions()];
    const read = async (name: string, input: Record<string, unknown>) => {
      const { isError, text, answer } = await call(name, input);
      expect([name, isError, JSON.parse(text)]).toEqual([name, false, answer]);
      const { data, ...rest } = answer;
      expect(Object.keys(rest).sort()).toEqual(['cites', 'head', 'not_yet_sealed']);
      expect(JSON.stringify(rest)).not.toContain('mark');
      expect(text).not.toMatch(/[\u200b\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e0fff}]/u);
      return JSON.stringify(data);
    };
    for (const [index, process_id] of processes.entries()) {
      const order_id = firstOrder + index;
      const order = await read('read_order', { order_id });
      expect([order_id, order.split(markOf(index)).length > 5]).toEqual([order_id, true]);
      await read('why', { order_id });
      await read('read_process', { process_id });
      await read('explain', { order_id });
    }
    for (let page = 1; page <= 6; page += 1) {
      await read('search_orders', { page });
      await read('search_log', { page });
    }
    for (const name of ['needs_attention', 'list_rules', 'list_components', 'verify']) await read(name, {});
    for (const { name, arguments: input } of obeyed)
      expect([name, (await call(name, input)).isError]).toEqual([name, true]);
    expect([await tools(), connected.getInstructions()]).toEqual([offered, instructions]);
    expect(await state()).toEqual(before);
    await close();
  }, 600_000);
});
