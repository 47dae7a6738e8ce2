import type { Page } from 'playwright-core';
import { presets } from '../../gateway-intake/src/presets';
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
  beforeAll(async () => {
    running = await start();
    admin = await administrator(running);
    page = admin.page;
  });
  afterAll(() => running.close());
  afterEach(() => expect(admin.complaints.splice(0).filter((text) => !text.includes('404'))).toEqual([]));

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
    expect(await faultsOf(page)).toEqual([]);
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
});
