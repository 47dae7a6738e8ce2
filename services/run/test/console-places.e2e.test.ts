import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitFor } from '@order-automation/testing';
import type { Page } from 'playwright-core';
import {
  administrator,
  describeConsole,
  faultsOf,
  patiently,
  pay,
  post,
  type Running,
  settled,
  signIn,
  type Visitor,
} from './console-browser';

jest.setTimeout(240_000);

const warehouse = (url: string) => ({
  name: 'Call the warehouse',
  enabled: true,
  rule: {
    trigger: { id: 'payment_complete', settings: {} },
    conditions: [],
    primaryAction: null,
    secondaryActions: [{ id: 'send_webhook', settings: { url } }],
  },
});

/** What is entered stays, what is refused is in sight, and the way back leads to where it began. */
describeConsole('a shop owner who goes to and fro', (start) => {
  let running: Running;
  let admin: Visitor;
  let page: Page;
  let receiver: Server;
  let answer = 500;
  beforeAll(async () => {
    receiver = createServer((request, response) => {
      request.resume();
      response.writeHead(answer).end();
    }).listen(0, '127.0.0.1');
    running = await start({ OUTBOUND_ALLOW: '127.0.0.1' });
    admin = await administrator(running);
    page = admin.page;
  });
  afterAll(async () => {
    await running.close();
    receiver.close();
  });
  afterEach(() => expect(admin.complaints.splice(0).filter((text) => !/40[04]/.test(text))).toEqual([]));

  const isInSight = (selector: string) =>
    page.evaluate<boolean>(
      `(() => { const { top, bottom } = document.querySelector('${selector}').getBoundingClientRect(); return top >= 0 && bottom <= innerHeight; })()`,
    );

  test('opens the suggestions of a search that has the focus already, by another click', async () => {
    await page.goto(`${running.base}/rules/new`);
    const conditions = page.getByPlaceholder('Add a condition');
    for (const name of ['Country', 'Order status', 'Coupon']) {
      await conditions.click();
      await page.getByRole('option', { name: new RegExp(`^${name} `) }).click();
    }
    const group = page.locator('section', { hasText: 'If all of these are true' });
    expect(await group.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual([
      'Country',
      'Order status',
      'Coupon',
    ]);
  });

  test('sees the first field that a refused save has marked', async () => {
    await page.getByLabel('Name', { exact: true }).fill('Not finished');
    // The words of a shop owner, in any order.
    for (const [words, trigger] of Object.entries({ chargeback: 'Dispute opened', 'order paid': 'Payment complete' })) {
      await page.getByPlaceholder('Trigger').fill(words);
      await page.getByRole('option', { name: new RegExp(`^${trigger} `) }).waitFor();
    }
    await page.getByPlaceholder('Trigger').fill('');
    await page.getByRole('option', { name: /^Order enters processing/ }).click();
    await page.evaluate('scrollTo(0, 0)');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Check the marked fields.').waitFor();
    await waitFor(() => isInSight('main [aria-invalid=true]'), patiently);
    expect(await page.evaluate('document.activeElement.getAttribute("aria-invalid")')).toBe('true');
  });

  test('is asked before signing out of a rule that is not saved', async () => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('sign out');
    await page.getByRole('button', { name: 'Sign out Do' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Leave without saving?' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Not finished');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Leave', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signIn(running, admin);
    // What the page was still reading when the session ended.
    admin.complaints.splice(0, Infinity, ...admin.complaints.filter((text) => !text.includes('status of 401')));
  });

  test('keeps the outcome of an amount that differs, also when a call is delivered later', async () => {
    const { port } = receiver.address() as AddressInfo;
    await running.call('POST', '/v1/rules', warehouse(`http://127.0.0.1:${port}/orders`));
    await page.goto(`${running.base}/log/${await post(running, 1002, 9_900, 'usd')}`);
    // A delivery may end after the page was read.
    const reads = (text: RegExp) =>
      waitFor(async () => {
        await page.reload();
        await settled(page);
        return (await page.getByText(text).count()) > 0;
      }, patiently);
    await reads(/answered 500/);
    answer = 200;
    const glance = page.locator('section', { hasText: 'At a glance' });
    await reads(/was called and answered 200/);
    await glance.getByText('Amount mismatch').waitFor();
    await page.getByText('Payment of $99.00 (Payment intent succeeded)').waitFor();
  });

  test('sees in the list that a call was delivered, without reading the page again', async () => {
    answer = 500;
    await post(running, 1003, 12_050, 'eur');
    await page.goto(`${running.base}/deliveries`);
    const row = page.getByRole('row', { name: / 1003 / });
    // The page may be there before the call.
    await waitFor(async () => {
      if ((await row.count()) > 0) return true;
      await page.reload();
      await settled(page);
      return false;
    }, patiently);
    await row.getByText('Pending', { exact: true }).waitFor();
    answer = 200;
    await row.getByRole('button', { name: /^Details of / }).click();
    await page.getByText('What is sent').click();
    await page.getByText(/POST http\S+\s+Idempotency-Key: /).waitFor();
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await row.getByText('Delivered', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Yesterday' }).click();
    await page.getByText('No delivery matches these filters').waitFor();
    await page.getByRole('link', { name: 'Today' }).click();
    await row.waitFor();
  });

  test('reads the name of a rule that is written from right to left before what it needed, in a row like the others', async () => {
    const [name, total] = ['قاعدة الطلبات', { id: 'order_total', settings: { operator: 'gt', amount: 90_000 } }];
    const rule = { trigger: { id: 'payment_complete', settings: {} }, conditions: [total], primaryAction: null };
    await running.call('POST', '/v1/rules', { name, enabled: true, rule: { ...rule, secondaryActions: [] } });
    const paid = await post(running, 1004, 2_900, 'usd');
    await page.goto(`${running.base}/log/${paid}`);
    const unmatched = page.locator('details', { hasText: '1 rule did not match' }).first();
    await unmatched.getByText('1 rule did not match').click();
    const row = unmatched.getByRole('listitem').filter({ hasText: name });
    await row.waitFor();
    expect(await page.evaluate('getComputedStyle(document.querySelector(".unmatched > li")).direction')).toBe('ltr');
  });

  test('comes back from an entry to the row of the log that led there', async () => {
    await page.setViewportSize({ width: 1280, height: 400 });
    await page.goto(`${running.base}/log?view=flat`);
    const row = page.locator('a.rowlink').nth(9);
    await row.scrollIntoViewIfNeeded();
    const top = await page.evaluate<number>('scrollY');
    expect(top).toBeGreaterThan(0);
    await row.click();
    await page.waitForURL(/\/log\/proc_/);
    await settled(page);
    await page.goBack();
    await waitFor(async () => (await page.evaluate<number>('scrollY')) === top, patiently);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test('reads what an order without items has, and the guide of each card', async () => {
    await running.call('PUT', '/v1/shop/orders/2001', { status: 'pending', total: '10.00', currency: 'EUR' });
    await page.goto(`${running.base}/orders/2001`);
    await page.locator('section', { hasText: 'Items' }).getByText('None', { exact: true }).waitFor();
    const guides = await page.getByRole('link', { name: /^Guide: / }).all();
    expect(guides.length).toBeGreaterThanOrEqual(2);
    for (const guide of guides) {
      const address = await guide.getAttribute('href');
      expect([address, (await fetch(`${running.base}${address}`)).status]).toEqual([address, 200]);
    }
    expect(await faultsOf(page)).toEqual([]);
  });

  test('has many senders on one page without a long way down', async () => {
    for (const name of ['bank', 'erp', 'printer', 'warehouse'])
      await running.call('POST', '/v1/webhooks', { name, auth_method: 'hmac' });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${running.base}/connections`);
    const erp = page.locator('section', { has: page.getByRole('button', { name: 'Pause erp' }) });
    await erp.getByText('0 accepted, 0 duplicates, 0 refused').waitFor();
    await settled(page);
    expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBeLessThan(2_000);
    await erp.getByText('Address, secrets and how it is read').click();
    await erp.getByText('/v1/webhooks/generic/erp').waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });

  test('reads a change of a sender in words, with what was before', async () => {
    await running.call('PUT', '/v1/webhooks/erp', { order_prefix: 'SHOP-' });
    await page.goto(`${running.base}/log?view=flat`);
    await page.getByRole('link', { name: /order prefix from none to "SHOP-"/ }).click(patiently);
    await page.getByText('Order prefix:').waitFor();
  });

  test('reads what is wrong beside its field, in the words of the form', async () => {
    await page.goto(`${running.base}/settings`);
    await page.getByLabel('Current password').fill(running.secrets.ADMIN_PASSWORD ?? '');
    await page.getByLabel('New password').fill('short');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Check the marked fields.').waitFor();
    await page.getByText('Must have at least 8 characters', { exact: true }).waitFor();
    expect(await page.getByLabel('New password').getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator('[role=alert] li').count()).toBe(0);
  });

  test('finds an order by its number, reads it there, and its status under the name that the shop has for it', async () => {
    const order = { number: 'RE-5001', status: 'packing', total: '10.00', currency: 'EUR' };
    await running.call('PUT', '/v1/shop/orders/2002', order);
    await page.goto(`${running.base}/orders`);
    await page.getByRole('searchbox').fill('RE-5001');
    await page.keyboard.press('Enter');
    const row = page.getByRole('row', { name: /^Order 2002 \(number RE-5001\)/ });
    await row.getByText('Being packed', { exact: true }).waitFor();
    await row.getByRole('link').click();
    const facts = page.locator('section', { hasText: 'Payment method' });
    await page.getByText('Number RE-5001', { exact: true }).waitFor();
    await facts.getByText('Being packed', { exact: true }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('RE-5001');
    await page.getByRole('button', { name: /^Order 2002 number RE-5001/ }).waitFor();
    await page.keyboard.press('Escape');
    const story = await pay(running, 2002, 1000, 'eur');
    await page.goto(`${running.base}/events?order_id=2002`);
    await page.getByRole('link', { name: '2002 (number RE-5001)' }).waitFor();
    await page.goto(`${running.base}/log/${story}`);
    await page.getByRole('heading', { name: 'Process of order 2002 (number RE-5001)' }).waitFor();
    await page
      .getByText(/^Order 2002 \(number RE-5001\): a payment completed while the order is Being packed/)
      .waitFor();
    await page.goto(`${running.base}/log`);
    await page.getByText('More', { exact: true }).click();
    await page.getByRole('combobox', { name: 'Order' }).fill('RE-5001');
    await page.getByRole('option', { name: /^Order 2002/ }).click();
    await page.waitForURL(/order_id=2002$/);
  });

  // WCAG 2.2, success criterion 1.4.10: twice as large, a screen of 1366 pixels is one of 683.
  test('reads orders with numbers of their own on a small screen without scrolling to the side', async () => {
    for (const width of [683, 900]) {
      await page.setViewportSize({ width, height: 700 });
      for (const path of ['/orders', '/events', '/orders/2002']) {
        await page.goto(`${running.base}${path}`);
        await settled(page);
        await page
          .getByText(/RE-5001/)
          .first()
          .waitFor();
        expect([width, path, ...(await faultsOf(page))]).toEqual([width, path]);
      }
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test('tells a replay from a second payment among the events', async () => {
    await pay(running, 1009, 38_900, 'sek');
    await page.goto(`${running.base}/events`);
    const paid = page.getByRole('row').filter({ hasText: '1009' });
    await paid.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Replay 1 selected event' }).click();
    await paid.first().getByText('Replay', { exact: true }).waitFor();
    expect(await paid.last().getByText('Replay', { exact: true }).count()).toBe(0);
  });

  test('tells a test from a payment among the events, and is led from there to what was refused', async () => {
    await running.call('POST', '/v1/webhooks/test/gateway_card', { order_id: 1005 });
    await page.goto(`${running.base}/events?order_id=1005`);
    await page.locator('tr', { hasText: '1005' }).first().getByText('Test', { exact: true }).waitFor();
    const refused = await fetch(`${running.base}/v1/webhooks/generic/erp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-signature': 'a'.repeat(64) },
      body: '{"event": "payment_completed", "order_id": 1005}',
    });
    expect(await refused.json()).toMatchObject({ success: false });
    await page.goto(`${running.base}/events?state=refused`);
    await page.getByRole('link', { name: 'See refused webhooks in the log' }).click();
    await page.getByText(/^Webhook for erp refused/).click(patiently);
    await page.getByRole('link', { name: 'Check the secrets and addresses of your senders' }).click();
    const generic = page.locator('section', { has: page.getByRole('heading', { name: 'Generic webhooks Inactive' }) });
    await generic.getByText('This address is closed. Each sender has one of its own.').waitFor();
    expect(await generic.getByRole('button', { name: /^Pause/ }).count()).toBe(0);
    expect(await generic.getByRole('button', { name: /^Send a test event/ }).count()).toBe(0);
  });

  test('sees a warning about two rules go when one of the two is disabled', async () => {
    const sets = (status: string) => ({
      ...{ name: `Sets ${status}`, enabled: true },
      rule: {
        trigger: { id: 'payment_complete', settings: {} },
        conditions: [],
        primaryAction: { id: `change_status_to_${status}`, settings: {} },
        secondaryActions: [],
      },
    });
    await running.call('POST', '/v1/rules', sets('completed'));
    await running.call('POST', '/v1/rules', sets('cancelled'));
    await page.goto(`${running.base}/rules`);
    const warning = page.getByText(/"Sets completed" and "Sets cancelled" can both run/);
    await warning.first().waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Disable Sets cancelled' }).click();
    await warning.first().waitFor({ state: 'detached' });
  });
});
