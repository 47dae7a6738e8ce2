import { type Browser, chromium } from 'playwright-core';
import { browserPath, faultsOf, quiet, settled, signIn, visitor } from './console-browser';
import { describeProducts, type Running } from './products';

/** The console on both compositions: what it reads comes through the bus, from one process or from many. */
(browserPath ? describe : describe.skip)('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ ...(browserPath && { executablePath: browserPath }), args: quiet });
  }, 60_000);
  afterAll(() => browser.close());

  describeProducts('the console', (start) => {
    let running: Running;
    beforeAll(async () => {
      running = await start({ LOG_LEVEL: 'warn' });
    }, 180_000);
    afterAll(() => running.stop(), 60_000);

    test('the first webhook: pressed, watched, and read as a story; a secret is rotated', async () => {
      const base = running.url;
      const admin = await visitor({ base, browser });
      const { page } = admin;
      page.setDefaultTimeout(30_000);
      await signIn({ base, secrets: running.env }, admin);
      await page.getByRole('button', { name: 'Send a test payment' }).click();
      await page.getByRole('link', { name: /story/i }).click();
      await page
        .getByRole('heading', { name: /payment/i })
        .first()
        .waitFor();
      await settled(page);
      expect(await faultsOf(page)).toEqual([]);

      await page.goto(`${base}/connections`);
      const card = page.locator('section', { hasText: '/v1/webhooks/gateway_card' });
      await card.getByRole('button', { name: 'New secret' }).click();
      await page.getByRole('button', { name: 'Change over' }).click();
      await page.getByRole('button', { name: 'I have it' }).click();
      await card.getByText(/from the environment, counts until/).waitFor();
      expect(admin.complaints).toEqual([]);
      await admin.context.close();
    }, 180_000);
  });
});
