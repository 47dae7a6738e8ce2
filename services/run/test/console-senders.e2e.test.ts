import type { Order } from '@order-automation/contracts';
import { waitFor } from '@order-automation/testing';
import type { Page } from 'playwright-core';
import { presets } from '../../gateway-intake/src/presets';
import { cardKey, startEventList } from '../../gateway-intake/test/event-list';
import { type Signed, signedSample } from '../../gateway-intake/test/preset-vectors';
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

const notFound = {
  status: 404,
  json: { success: false, code: 'svc_process_not_found', message: 'There is no such process.', data: { status: 404 } },
};
const paystack = presets.get('paystack');

/** From the list of senders to the story of the first event, by clicks. */
describeConsole('a shop owner who connects Paystack by preset', (start) => {
  let running: Running;
  let admin: Visitor;
  let page: Page;
  let list: Awaited<ReturnType<typeof startEventList>>;
  beforeAll(async () => {
    list = await startEventList();
    running = await start({ GATEWAY_CARD_API: list.url });
    admin = await administrator(running);
    page = admin.page;
  });
  afterAll(async () => {
    await running.close();
    list.close();
  });
  afterEach(() => expect(admin.complaints.splice(0).filter((text) => !/40[04]/.test(text))).toEqual([]));

  const said = (text: string | RegExp) => page.getByText(text).first().waitFor(patiently);
  const send = async (address: string, { headers, body }: Signed): Promise<boolean> => {
    const answer = await fetch(`${running.base}${new URL(address).pathname}`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body },
    });
    return ((await answer.json()) as { success: boolean }).success;
  };

  test('finds it by the keyboard, and gets its steps and an address', async () => {
    await page.goto(`${running.base}/connections`);
    await page.getByRole('link', { name: 'Connect a sender' }).first().click();
    await page.getByLabel('Search for your gateway, shop or service').fill('payst');
    await said('1 sender');
    await settled(page);
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Connect Paystack' }).waitFor();
    await page.getByRole('button', { name: 'Create the address' }).click();
    await said('Paste the address shown here as the webhook URL.');
    await said(/^Waiting for the first event/);
    // docs/guide/connect-a-gateway.md, "Which address": it has to be reachable from the internet
    await said('Only programs on this computer reach this address.');
    const guide = await page.getByRole('link', { name: 'Which address senders need' }).getAttribute('href');
    const [path, anchor] = `${guide}`.split('#');
    expect(await (await fetch(`${running.base}${path}`)).text()).toContain(`id="${anchor}"`);
    expect(await faultsOf(page)).toEqual([]);
  });

  test('is led through the built-in gateways where there is no licence for senders', async () => {
    await page.route('**/v1/webhooks/presets', async (route) => {
      const { presets: all } = (await (await route.fetch()).json()) as { presets: { gateway?: string }[] };
      const builtIn = all.filter(({ gateway }) => gateway !== undefined);
      await route.fulfill({ json: { presets: builtIn, total: builtIn.length } });
    });
    await page.route('**/v1/auth/nonce', async (route) => {
      const session = (await (await route.fetch()).json()) as object;
      await route.fulfill({ json: { ...session, edition: 'default' } });
    });
    const here = page.url();
    await page.goto(`${running.base}/connections?connect=choose`);
    await said('3 senders');
    await said('It connects other senders, each with an address and a secret of its own.');
    expect(await page.getByRole('button', { name: 'Another sender' }).count()).toBe(0);
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('link', { name: /Stripe/ }).click();
    await said(/^Copy the signing secret/);
    await page.unroute('**/v1/webhooks/presets');
    await page.unroute('**/v1/auth/nonce');
    await page.goto(here);
  });

  test('sees why an event is refused, pastes the secret, and the page leads to the story of the first event', async () => {
    if (!paystack?.vector) throw new Error('there is no such preset');
    const address = await page.locator('dd code', { hasText: '/v1/webhooks/generic/paystack' }).innerText();
    const sample = signedSample(paystack, 1001, { now: Date.now(), url: address });
    expect(await send(address, sample)).toBe(false);
    await said(/^A webhook was refused/);
    await page.getByLabel('Secret of Paystack').fill(paystack.vector.secret);
    await page.getByRole('button', { name: 'Save the secret' }).click();
    await said('Saved. Webhooks that Paystack signs with it are accepted');
    await page.reload();
    await said(/^Waiting for the first event/);
    expect(await send(address, sample)).toBe(true);
    // A story that is opened before its first entry is in the log.
    await page.route('**/v1/audit-log/process/*', (route) => route.fulfill(notFound), { times: 1 });
    await page.getByRole('link', { name: 'See what happened' }).click(patiently);
    await page.waitForURL(/\/log\/\w/);
    await said(/1001/);
    expect(await page.content()).not.toContain(paystack.vector.secret);
  });

  test('connects Shopify as well: its steps, its secret, and the story of its first payment', async () => {
    const shopify = presets.get('shopify');
    if (!shopify?.vector) throw new Error('there is no such preset');
    await page.goto(`${running.base}/connections?connect=choose`);
    await page.getByLabel('Search for your gateway, shop or service').fill('shopify');
    await page.getByRole('link', { name: /^S?\s*Shopify/ }).click();
    await page.getByRole('button', { name: 'Create the address' }).click();
    await said('Open Settings, Notifications, Webhooks in Shopify.');
    // Its secret is pasted later: the card says that it is missing, and leads back.
    await page.getByRole('link', { name: 'Connections' }).click();
    await page.getByText('Secret missing').waitFor();
    expect(await page.getByRole('button', { name: 'Send a test event to shopify' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Enter it' }).click();
    const address = await page.locator('dd code', { hasText: '/v1/webhooks/generic/shopify' }).innerText();
    await page.getByLabel('Secret of Shopify').fill(shopify.vector.secret);
    await page.getByRole('button', { name: 'Save the secret' }).click();
    await said('Saved. Webhooks that Shopify signs with it are accepted');
    expect(await send(address, signedSample(shopify, 1004, { now: Date.now(), url: address }))).toBe(true);
    await page.getByRole('link', { name: 'See what happened' }).click(patiently);
    await page.waitForURL(/\/log\/\w/);
    await page.getByRole('heading', { name: 'Process of order 1004' }).waitFor(patiently);
    await said('Payment of €29.00 from shopify arrived');
  });

  test('takes over a preset that was improved after the sender was connected', async () => {
    const of = `/v1/webhooks/paystack`;
    const before = await running.call<{ types: Record<string, string> }>('GET', of);
    const { 'charge.success': paid, ...others } = before.types;
    await running.call('PUT', of, { types: { ...others, 'charge.dispute.create': 'custom_event' } });
    await page.goto(`${running.base}/connections`);
    const card = page.locator('section', { hasText: of.replace('webhooks/', 'webhooks/generic/') });
    await settled(page);
    const fold = card.getByText('Address, secrets and how it is read');
    if ((await fold.count()) > 0) await fold.click();
    // "HMAC SHA512 signature of the event payload": https://paystack.com/docs/payments/webhooks/
    await card.getByText('A signature in a header (HMAC-SHA512)').waitFor();
    await page.getByRole('button', { name: 'Compare paystack with its preset' }).click();
    await page
      .getByRole('dialog')
      .getByText(/^Event charge success: +→ payment_completed$/)
      .waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Use the settings of the preset' }).click();
    await said('Saved. It applies to new events and to replays.');
    await page.getByText('Paystack, with other settings').waitFor({ state: 'detached' });
    expect(await running.call('GET', of)).toMatchObject({ types: { ...before.types, 'charge.success': paid } });
  });

  test('tries a body before anything is sent: what it is read as, the order that it names, and why there is none', async () => {
    if (!paystack) throw new Error('there is no such preset');
    const ofOrder = (order: number) =>
      Buffer.from(signedSample(paystack, order, { now: Date.now(), url: '' }).body).toString();
    await page.goto(`${running.base}/connections`);
    await page.getByRole('button', { name: 'Check a payload of paystack' }).click();
    await page.getByLabel('Payload', { exact: true }).fill(ofOrder(1001));
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Payment completed').waitFor(patiently);
    await dialog.getByRole('link', { name: '1001' }).waitFor();
    await settled(page);
    expect(await faultsOf(page)).toEqual([]);
    await page.getByLabel('Payload', { exact: true }).fill(ofOrder(999_999));
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await dialog.getByText(/The shop has no order “999999”, which it names in/).waitFor(patiently);
    await page.getByLabel('Payload', { exact: true }).fill('nothing of the kind');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await dialog.locator('.note.bad').waitFor(patiently);
    await dialog.getByRole('button', { name: 'Close' }).first().click();
  });

  test('says what an event type of a sender of its own means, and the next one moves its order', async () => {
    const sender = { name: 'bank', auth_method: 'none' };
    const { connection } = await running.call<{ connection: { url: string } }>('POST', '/v1/webhooks', sender);
    const completes = { id: 'change_status_to_completed', settings: {} };
    const trigger = { id: 'payment_complete', settings: {} };
    const rule = { trigger, conditions: [], primaryAction: completes, secondaryActions: [] };
    await running.call('POST', '/v1/rules', { name: 'Complete what is paid', enabled: true, rule });
    const settle = async (id: string) => {
      const fields = { id, event: 'Bill settled', order_id: '1012', amount: '38.00', currency: 'EUR' };
      expect(await send(connection.url, { headers: {}, body: JSON.stringify(fields) })).toBe(true);
    };
    await settle('bill_1');
    await page.goto(`${running.base}/connections`);
    await settled(page);
    const fold = page.locator('section', { hasText: '/generic/bank' }).getByText('Address, secrets and how it is read');
    if ((await fold.count()) > 0) await fold.click();
    await page.getByRole('button', { name: 'Check a payload of bank' }).click();
    await page.getByLabel('Payload', { exact: true }).fill('{"event":"Bill settled","bill":"1012"}');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await said('Bill settled: say under “Event types” what it means');
    await said('It names no order. Enter the field with its number under “Settings”.');
    await page.getByLabel('Payload', { exact: true }).fill('{"paid":true,"id":"bill_9"}');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await said(
      'Custom event. If it means more, enter the field with its type under “Settings”; if it has none, say under “Event types” what custom_event means.',
    );
    await said(
      'It names no order, and no order has its transaction. Enter the field with its number under “Settings”.',
    );
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click();
    await page.getByRole('button', { name: 'Change the event types of bank' }).click();
    await page.getByLabel('Add an event type').fill('bill');
    await page.getByRole('option', { name: 'Bill settled' }).click(patiently);
    await page.getByLabel('Bill settled').selectOption({ label: 'A payment is complete' });
    await settled(page);
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await said('1 type with a meaning');
    await page.getByRole('button', { name: 'Check a payload of bank' }).click();
    for (const [amount, currency, words] of [
      ['3800', 'EUR', 'set “Its amounts are written” to “In cents: 4900 is 49.00” under “Settings”.'],
      ['39.00', 'EUR', 'which is more than the total of the order.'],
      ['38.00', 'USD', 'which is not the currency of the order.'],
    ]) {
      const body = JSON.stringify({ event: 'Bill settled', order_id: '1012', amount, currency });
      await page.getByLabel('Payload', { exact: true }).fill(body);
      await page.getByRole('button', { name: 'Check', exact: true }).click();
      await page.getByRole('dialog').getByText(String(words)).waitFor(patiently);
    }
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click();
    await settle('bill_2');
    await waitFor(async () => (await running.call<Order>('GET', '/v1/shop/orders/1012')).status === 'completed');
    await page.getByRole('button', { name: 'Change the event types of bank' }).click();
    await page.getByLabel('Bill settled').selectOption('');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await said('As they are called');
  });

  test('has the card gateway asked for events that never arrived, and sees what was found', async () => {
    const data = { object: { id: 'pi_lost', object: 'payment_intent', amount: 2900, metadata: { order_id: '1004' } } };
    const created = Math.floor(Date.now() / 1000) - 900;
    list.card.push({ id: 'evt_lost', type: 'payment_intent.succeeded', created, livemode: true, data } as never);
    await page.goto(`${running.base}/connections`);
    await page.getByRole('button', { name: 'Look for them: events of Card gateway that never arrived' }).click();
    await settled(page);
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'Key' }).fill('rk_live_of_somebody_else');
    await page.getByRole('button', { name: 'Save key' }).click();
    await said(/refused the key \(401\)/);
    await page.getByRole('textbox', { name: 'Key' }).fill(cardKey);
    await page.getByRole('button', { name: 'Save key' }).click();
    await page
      .getByRole('button', { name: 'Look again for events of Card gateway that never arrived' })
      .click(patiently);
    await page.getByRole('button', { name: 'Ask now' }).click();
    await said(/is being asked/);
    await waitFor(async () => {
      await page.reload();
      await settled(page);
      return page.getByText('1 missing event found').isVisible();
    });
    expect(await faultsOf(page)).toEqual([]);
    expect(await page.content()).not.toContain(cardKey);
  });

  test('waits for an event of the sender itself: a test that was sent here is none', async () => {
    await running.call('POST', '/v1/webhooks', { name: 'xendit', preset: 'xendit', secret: 'a token of theirs' });
    const test = { connection: 'xendit', event_type: 'payment_completed', order_id: 1005 };
    await running.call('POST', '/v1/webhooks/test/generic', test);
    await page.goto(`${running.base}/connections?connect=xendit&sender=xendit`);
    await said(/^Waiting for the first event/);
    await settled(page);
    expect(await page.getByRole('link', { name: 'See what happened' }).count()).toBe(0);
  });
});
