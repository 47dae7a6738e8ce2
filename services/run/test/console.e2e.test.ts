import { administrator, browserPath, faultsOf, pay, settled, signIn, startConsole, visitor } from './console-browser';

const looks = (['light', 'dark'] as const).flatMap((theme) => [1440, 320].map((width) => ({ theme, width })));
const pages = [
  '/',
  '/log',
  '/log?view=flat&status=error',
  '/orders',
  '/orders/1006',
  '/events',
  '/rules',
  '/rules/1?order=1006',
  '/rules/new',
  '/debugger?order=1006',
  '/connections',
  '/deliveries',
  '/events?state=dead',
  '/events?state=waiting',
].concat(
  ['account', 'passwords', 'users', 'notifications', 'secrets', 'log', 'licence'].map(
    (part) => `/settings?part=${part}`,
  ),
);

(browserPath ? describe : describe.skip)('the console', () => {
  let running: Awaited<ReturnType<typeof startConsole>>;
  beforeAll(async () => {
    running = await startConsole({ BASE_PATH: '/shop', SHOP_TIME_ZONE: 'Europe/Berlin' });
  }, 180_000);
  afterAll(() => running.close());

  test('one page at each address, cached as long as its content stays', async () => {
    for (const path of ['/', '/sign-in', '/log', '/log/proc_1', '/orders/1', '/rules/1', '/settings']) {
      const answer = await fetch(`${running.base}${path}?page=2`);
      expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([path, 200, 'no-cache']);
      expect(answer.headers.get('content-security-policy')).not.toContain('unsafe');
    }
    const page = await (await fetch(`${running.base}/log`)).text();
    expect(page).not.toMatch(/<style|style="|<script>/);
    const [, script = ''] = /src="(\/shop\/assets\/[^"]+\.js)"/.exec(page) ?? [];
    const file = await fetch(new URL(script, running.base), { headers: { 'accept-encoding': 'gzip' } });
    expect(file.headers.get('content-encoding')).toBe('gzip');
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    for (const path of ['/v1/nothing', '/assets/nothing.js', '/assets/..%2findex.html', '/nothing']) {
      const missing = await fetch(`${running.base}${path}`);
      expect([path, missing.status, missing.headers.get('content-type')]).toEqual([
        path,
        404,
        'application/json; charset=utf-8',
      ]);
    }
  });

  test('somebody who is signed out signs in and comes back to where they were', async () => {
    const guest = await visitor(running);
    const { page, complaints } = guest;
    await page.goto(`${running.base}/?range=week`);
    await page.getByLabel('Name').fill('admin');
    await page.getByLabel('Password').fill(running.secrets.ADMIN_PASSWORD ?? '');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(page.url()).toBe(`${running.base}/?range=week`);
    await page.reload();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(complaints).toEqual([]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto(`${running.base}/`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await guest.context.close();
  });

  test('a wrong password is refused in words', async () => {
    const guest = await visitor(running);
    await guest.page.goto(`${running.base}/sign-in`);
    await guest.page.getByLabel('Name').fill('admin');
    await guest.page.getByLabel('Password').fill('not the password');
    await guest.page.getByRole('button', { name: 'Sign in' }).click();
    await guest.page.getByText('The user name or the password is wrong.').waitFor();
    await guest.context.close();
  });

  test('the first webhook: pressed, watched, and its story is one click away', async () => {
    const admin = await visitor(running);
    await signIn(running, admin);
    await admin.page.getByRole('button', { name: 'Send a test payment' }).click();
    await admin.page.getByText(/It arrived and was evaluated in/).waitFor();
    const story = await admin.page.getByRole('link', { name: 'See what happened' }).getAttribute('href');
    expect(story).toMatch(/^\/shop\/log\/proc_/);
    await admin.context.close();
  });

  test('the first load is small', async () => {
    const admin = await visitor(running);
    await signIn(running, admin);
    await settled(admin.page);
    const bytes = await admin.page.evaluate(() =>
      (performance.getEntriesByType('resource') as unknown as { name: string; encodedBodySize: number }[])
        .filter(({ name }) => /\.(js|css)$/.test(name))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    );
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(120_000);
    await admin.context.close();
  });

  test('after a restart of the service the page says so and reads again', async () => {
    const admin = await visitor(running);
    await signIn(running, admin);
    await settled(admin.page);
    await running.stop();
    await admin.page.getByRole('link', { name: 'Last 7 days' }).click();
    await admin.page.getByText('The service cannot be reached. Trying again').waitFor({ timeout: 30_000 });
    await running.start();
    await admin.page.getByText('The service is back.').waitFor({ timeout: 30_000 });
    await admin.page.getByText('Show as table').waitFor();
    await admin.context.close();
  }, 180_000);

  test('a rule that is saved while the service is away keeps what was entered, and says when to try again', async () => {
    const admin = await administrator(running);
    await admin.page.goto(`${running.base}/rules/1`);
    await settled(admin.page);
    const name = admin.page.getByRole('textbox', { name: 'Name', exact: true });
    const before = await name.inputValue();
    await name.fill('Entered during the outage');
    await running.stop();
    await admin.page.getByRole('button', { name: 'Save' }).click();
    const alert = admin.page.locator('main [role=alert]');
    await alert.getByText(/^The service cannot be reached\./).waitFor({ timeout: 30_000 });
    await running.start();
    await alert
      .getByText('The service is back. It may not have received what you sent last')
      .waitFor({ timeout: 60_000 });
    expect(await name.inputValue()).toBe('Entered during the outage');
    await admin.page.getByRole('button', { name: 'Save' }).click();
    await admin.page.getByRole('heading', { name: 'Entered during the outage' }).waitFor();
    await running.call('PUT', '/v1/rules/1', { name: before });
    await admin.context.close();
  }, 240_000);

  test.each(looks)(
    'every page, $theme at $width px: accessible, nothing foreign, nothing too wide',
    async (look) => {
      const admin = await visitor(running, look);
      await admin.page.goto(`${running.base}/sign-in`);
      expect(await faultsOf(admin.page)).toEqual([]);
      await signIn(running, admin);
      const process = await pay(running, 1006, 17_375, 'kwd');
      // No word of a button at the top is broken.
      const lines = await admin.page.evaluate<number[]>(
        "[...document.querySelectorAll('.bar button')].map((button) => { const range = document.createRange(); range.selectNodeContents(button); return range.getClientRects().length; })",
      );
      expect(Math.max(...lines)).toBeLessThanOrEqual(1);
      for (const path of [...pages, `/log/${process}`]) {
        await admin.page.goto(`${running.base}${path}`);
        await settled(admin.page);
        expect([path, ...(await faultsOf(admin.page))]).toEqual([path]);
      }
      expect(admin.complaints).toEqual([]);
      await admin.context.close();
    },
    120_000,
  );
});
