import { createHmac } from 'node:crypto';
import { waitFor } from '@order-automation/testing';
import type { Page } from 'playwright-core';
import { approve, startWooCommerce, type WooCommerceServer } from '../../shop/test/woocommerce-server';
import {
  administrator,
  describeConsole,
  faultsOf,
  patiently,
  type Running,
  settled,
  type Visitor,
} from './console-browser';

jest.setTimeout(240_000);

const publicUrl = 'https://automation.example';
const delivery = `${publicUrl}/v1/webhooks/gateway_shop`;

/** From the demonstration to a WooCommerce shop, and back, without a restart. */
describeConsole('an administrator who connects a shop', (start) => {
  let running: Running;
  let admin: Visitor;
  let page: Page;
  let shop: WooCommerceServer;
  beforeAll(async () => {
    shop = await startWooCommerce();
    shop.putOrder(70, { status: 'processing', total: '49.00' });
    running = await start({ PUBLIC_URL: publicUrl, OUTBOUND_ALLOW: '127.0.0.1' });
    admin = await administrator(running);
    page = admin.page;
  });
  afterAll(async () => {
    await running.close();
    await shop.close();
  });
  /** Browsers say so of an answer that refuses, and the key flow leaves for the shop on purpose. */
  const expected = /a status of 400|a request to http:\/\/127\.0\.0\.1:\d+\/wc-auth\//;
  afterEach(() => expect(admin.complaints.splice(0).filter((text) => !expected.test(text))).toEqual([]));

  const orders = async () =>
    (await running.call<{ orders: { id: number }[] }>('GET', '/v1/shop/orders?per_page=50')).orders.map(({ id }) => id);
  const said = (text: string) => page.getByText(text).first().waitFor(patiently);
  const webhooksAreMade = () => said(`WooCommerce sends Order created, Order updated, Order deleted to ${delivery}.`);

  test('pastes a key: a wrong one is refused in words, the right one connects, and its webhooks are taken', async () => {
    await page.goto(`${running.base}/settings?part=shop`);
    await said('The demonstration shop');
    await page.getByRole('button', { name: 'Connect WooCommerce' }).click();
    await page.getByLabel('Address of the shop').fill(shop.url);
    await page.getByText('Paste a key instead').click();
    await page.getByLabel('Consumer key').fill(shop.key.key);
    await page.getByLabel('Consumer secret').fill('cs_wrong_wrong_wrong');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await said('WooCommerce refuses the key and its secret');
    await page.getByLabel('Consumer secret').fill(shop.key.secret);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await webhooksAreMade();
    await settled(page);
    expect(await faultsOf(page)).toEqual([]);
    expect(await page.content()).not.toMatch(new RegExp(`${shop.key.key}|${shop.key.secret}`));
    await waitFor(async () => (await orders()).join() === '70', patiently);

    const body = JSON.stringify(shop.putOrder(71, { status: 'pending', total: '9.00' }));
    const signature = createHmac('sha256', String(shop.webhooks[0]?.secret)).update(body).digest('base64');
    const answer = await fetch(`${running.base}/v1/webhooks/gateway_shop`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-wc-webhook-topic': 'order.created',
        'x-wc-webhook-signature': signature,
      },
      body,
    });
    expect(await answer.json()).toMatchObject({ success: true });
  });

  test('disconnects: the webhooks are gone, the demonstration is there again, and who did what is in the log', async () => {
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await said('Revoke the key that ends in cdef in WooCommerce');
    await said('The demonstration shop');
    expect(shop.webhooks).toEqual([]);
    await waitFor(async () => (await orders()).includes(1001), patiently);
    const entries = async () =>
      (await running.call<{ logs: { summary: string }[] }>('GET', '/v1/audit-log?view=flat&per_page=100')).logs;
    await waitFor(async () => {
      const summaries = (await entries()).map(({ summary }) => summary);
      return ['connected', 'disconnected'].every((what) =>
        summaries.includes(`admin ${what} the WooCommerce shop at ${shop.url}`),
      );
    }, patiently);
  });

  test('has the shop make the key: approves there, comes back, and everything is set up', async () => {
    await page.route(`${shop.url}/wc-auth/**`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Approve</title><p>Approve?</p>' }),
    );
    await page.getByRole('button', { name: 'Connect WooCommerce' }).click();
    await page.getByLabel('Address of the shop').fill(shop.url);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.waitForURL(/wc-auth/);
    const back = await approve(page.url(), shop.key, async (callback, keys) => {
      expect(callback.startsWith(`${publicUrl}/`)).toBe(true);
      const answer = await fetch(callback.replace(publicUrl, running.base), {
        method: 'POST',
        headers: { 'content-type': 'application/json;charset=utf-8' },
        body: JSON.stringify(keys),
      });
      return answer.status;
    });
    await page.goto(back.replace(publicUrl, running.base));
    await webhooksAreMade();
    await said('by admin');
    expect(new URL(page.url()).search).toBe('?part=shop');
    await waitFor(async () => (await orders()).includes(70), patiently);
  });
});
