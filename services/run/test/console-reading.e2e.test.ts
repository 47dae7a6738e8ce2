import { waitFor } from '@order-automation/testing';
import type { Page } from 'playwright-core';
import { administrator, describeConsole, faultsOf, pay, type Running, settled, type Visitor } from './console-browser';

jest.setTimeout(240_000);

const named = (name: string, amount: number) => ({
  name,
  enabled: true,
  rule: {
    trigger: { id: 'payment_complete', settings: {} },
    conditions: [{ id: 'order_total', settings: { operator: 'gte', amount } }],
    primaryAction: null,
    secondaryActions: [{ id: 'add_order_note', settings: { note_text: 'Large' } }],
  },
});

/** Pages with as much on them as a shop of some years has. */
describeConsole('a shop owner with thirteen rules', (start) => {
  let running: Running;
  let admin: Visitor;
  let page: Page;
  beforeAll(async () => {
    running = await start();
    for (let at = 1; at <= 12; at += 1) await running.call('POST', '/v1/rules', named(`Large ${at}`, 10_000 + at));
    admin = await administrator(running);
    page = admin.page;
    await page.setViewportSize({ width: 1440, height: 900 });
  });
  afterAll(() => running.close());
  afterEach(() => expect(admin.complaints.splice(0)).toEqual([]));

  const height = () => page.evaluate<number>('document.documentElement.scrollHeight');

  test('reads the history of an order by process, and what its total is made of', async () => {
    await running.call('PUT', '/v1/shop/orders/2001', {
      status: 'pending',
      total: '119.00',
      total_tax: '19.00',
      currency: 'EUR',
      billing: { first_name: 'محمد', last_name: 'عبد الرحمن' },
      line_items: [{ id: 1, name: 'House Blend', product_id: 101, quantity: 2, total: '90.00' }],
      shipping_lines: [{ method_id: 'flat_rate', method_title: 'Courier', total: '7.50' }],
      fee_lines: [{ name: 'Gift wrap', total: '2.50' }],
    });
    await pay(running, 2001, 11_900, 'eur');
    await pay(running, 2001, 11_900, 'eur');
    await page.goto(`${running.base}/orders/2001`);
    await page
      .getByText('Payment of €119.00 for order 2001 → completed by Complete paid orders of 20 or more')
      .waitFor();
    await settled(page);
    expect(await page.getByText(/did not match: condition 1 of 1/).count()).toBe(0);
    expect(await height()).toBeLessThan(2_000);
    const items = page.locator('section', { has: page.getByRole('heading', { name: 'Items' }) });
    expect((await items.locator('tbody tr').allInnerTexts()).map((row) => row.split(/\s*\t\s*/))).toEqual([
      ['House Blend', '2', '€90.00'],
      ['Courier', '€7.50'],
      ['Gift wrap', '€2.50'],
      ['Tax', '€19.00'],
    ]);
    expect(await faultsOf(page)).toEqual([]);
  });

  test('reads how long ago an event came, which keeps up with the time, and the instant where it points', async () => {
    await pay(running, 2001, 11_900, 'eur');
    await page.goto(`${running.base}/events`);
    const time = page.locator('tbody time').first();
    await time.waitFor();
    const first = await time.innerText();
    expect(first).toMatch(/^(?:now|\d+ seconds? ago)$/);
    expect(await time.getAttribute('title')).toMatch(/\(\d{4}-\d\d-\d\dT[\d:.]+Z\)$/);
    await waitFor(async () => (await time.innerText()) !== first, { timeout: 30_000 });
  });

  test('a name that is written from right to left stands beside its label', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${running.base}/orders`);
    const name = page.getByText('محمد عبد الرحمن');
    const { x = 0, width = 0 } = (await name.boundingBox()) ?? {};
    expect(x + width).toBeLessThan(300);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('opens the rules that do not match one by one', async () => {
    await page.goto(`${running.base}/debugger?order=1004`);
    await page.getByRole('heading', { name: 'Complete paid orders of 20 or more Matches' }).waitFor();
    await settled(page);
    expect(await height()).toBeLessThan(2_000);
    await page.getByText('The smallest change: Total: 10003.00').waitFor({ state: 'hidden' });
    await page.getByRole('heading', { name: 'Large 3 Does not match' }).click();
    await page.getByText('The smallest change: Total: 10003.00').waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });

  test('restores earlier versions of a rule; switching it off and on is none', async () => {
    for (const body of [{ enabled: false }, { enabled: true }, { name: 'Renamed' }, { enabled: false }])
      await running.call('PUT', '/v1/rules/2', body);
    await page.goto(`${running.base}/rules/2`);
    await page.getByRole('button', { name: 'Restore version 3' }).waitFor();
    const versions = page.locator('section', { has: page.getByRole('heading', { name: 'Versions' }) });
    expect(await versions.locator('li strong').allInnerTexts()).toEqual(['Version 5', 'Version 3']);
  });

  test('copies a secret from a page that came over plain http', async () => {
    await page.goto(`${running.base}/connections`);
    // What browsers do with pages of addresses other than this machine's.
    await page.evaluate('Object.defineProperty(navigator, "clipboard", { value: undefined })');
    await page.getByRole('button', { name: 'New secret for Card gateway' }).click();
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('It is shown only once.').waitFor();
    const secret = await dialog.locator('code').innerText();
    await dialog.getByRole('button', { name: /^Copy / }).click();
    await dialog.getByText('Copied').waitFor();
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('link', { name: 'Connect a sender' }).click();
    await page.getByLabel('Search for your gateway, shop or service').focus();
    await page.keyboard.press('Control+V');
    expect(await page.getByLabel('Search for your gateway, shop or service').inputValue()).toBe(secret);
  });
});
