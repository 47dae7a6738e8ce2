import { browserPath, pay, type Running, settled, signIn, startConsole, visitor } from './console-browser';

const inner = ['alert(1)', 'document.title=1', 'fetch(1)', 'top.x=1', 'eval(1)'];
const shapes = [
  (code: string) => `<script>${code}</script>`,
  (code: string) => `<img src=x onerror="${code}">`,
  (code: string) => `"><svg onload=${code}>`,
  (code: string) => `'><iframe srcdoc="<script>${code}</script>">`,
  (code: string) => `</title></textarea></style><xss-a onfocus=${code} autofocus>`,
  (code: string) => `<a href="javascript:${code}">x</a>`,
  (code: string) => `<style>*{x:${code}}</style>`,
  (code: string) => `<math><mi xlink:href="data:x,${code}">`,
  (code: string) => `<details open ontoggle=${code}><xss-a>`,
  (code: string) => `%24{constructor('${code}')()}<xss-a>`,
  (code: string) => `<body onload=${code}><base href=//x.example>`,
  (code: string) => `--><object data="data:text/html,${code}"></object>`,
];
const payloads = inner.flatMap((code) => shapes.flatMap((shape) => [shape(code), shape(code).toUpperCase()]));

/** Elements that only a payload could have made: the console has none of them. */
const foreign =
  'xss-a, img, iframe, object, math, base, svg:not(.arrow > svg), style, script:not([src]), [onerror], [onload], [onfocus], [ontoggle], a[href^="javascript" i]';

(browserPath ? test : test.skip)(
  '120 pieces of markup in orders, customers, rules and events add no element to any page',
  async () => {
    expect(payloads).toHaveLength(120);
    const left = [...payloads];
    const take = () => left.shift() ?? '';
    const running: Running = await startConsole();
    try {
      const orders = [3001, 3002, 3003, 3004, 3005, 3006, 3007, 3008];
      for (const id of orders) {
        await running.call('PUT', `/v1/shop/orders/${id}`, {
          status: 'pending',
          currency: 'USD',
          total: '49.00',
          payment_method_title: take(),
          transaction_id: take(),
          customer_note: take(),
          billing: { first_name: take(), last_name: take(), company: take(), address_1: take(), city: take() },
          line_items: [{ id: 1, name: take(), product_id: 101, quantity: 1, total: '49.00', sku: take() }],
        });
      }
      const rules: number[] = [];
      for (let index = 0; index < 12; index += 1) {
        const { rule_id } = await running.call<{ rule_id: number }>('POST', '/v1/rules', {
          name: take(),
          enabled: index < 4,
          rule: {
            trigger: { id: 'order_processing', settings: {} },
            conditions: [{ id: 'order_meta', settings: { key: take(), operator: 'not_exists' } }],
            primaryAction: null,
            secondaryActions: [{ id: 'add_order_note', settings: { note_text: take() } }],
          },
        });
        rules.push(rule_id);
      }
      for (const reason of left.splice(0)) {
        await fetch(`${running.base}/v1/webhooks/generic`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ id: reason, type: 'payment_failed', order_id: 3001, reason, transaction_id: reason }),
        });
      }
      const process = await pay(running, 3001, 4_900, 'usd');

      const admin = await visitor(running);
      const { page } = admin;
      await signIn(running, admin);
      const pages = [
        '/',
        '/log',
        '/log?view=flat',
        `/log/${process}`,
        '/rules',
        '/debugger?order=3001',
        '/connections',
        '/deliveries',
      ].concat(
        orders.map((id) => `/orders/${id}`),
        rules.slice(0, 4).map((id) => `/rules/${id}?order=3001`),
      );
      for (const path of pages) {
        await page.goto(`${running.base}${path}`);
        await settled(page);
        await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
        expect([path, await page.locator(foreign).count(), await page.title()]).toEqual([
          path,
          0,
          expect.stringMatching(/Order automation$/),
        ]);
      }
      await page.keyboard.press('/');
      await page.getByLabel('An order, e-mail address').fill('<img');
      expect(await page.locator(foreign).count()).toBe(0);
      expect(admin.complaints).toEqual([]);
    } finally {
      await running.close();
    }
  },
  180_000,
);
