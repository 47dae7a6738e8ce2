import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { source as axe } from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { browserPath, quiet } from './console-browser';
import { type Product, startEmbedded } from './product';

const guides = [
  'first-rule',
  'jobs',
  'command-line',
  'connect-a-gateway',
  'import-a-shop',
  'why-did-an-order-not-move',
  'why',
  'what-if',
].concat('ask', 'read-the-log', 'write-an-extension', 'woocommerce');
const subjects = ['components', 'rules', 'audit-log', 'webhooks', 'shop', 'accounts', 'objects'];
const pages = ['/docs', '/docs/metrics', '/docs/configuration'].concat(
  guides.map((name) => `/docs/guide/${name}`),
  subjects.map((name) => `/docs/reference/${name}`),
);

/** Of the reference the first entries of each page, and the menu, which every page has, on one page: all of them cost axe minutes. */
const withoutRepetition = (path: string): string =>
  path === '/docs' ? 'axe.run()' : 'axe.run({ exclude: [["article ~ article ~ article"], ["nav"]] })';

let product: Product;
let dir: string;
let base: string;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'order-automation-docs-'));
  const EXTENSIONS = join(__dirname, '../../../docs/guide/examples/order-review.mjs');
  const env = { DATA_DIR: dir, PORT: '0', OPS_PORT: '0', LOG_LEVEL: 'warn', EXTENSIONS };
  product = await startEmbedded({ env, log: 'ignore' });
  base = `http://127.0.0.1:${product.port}`;
}, 180_000);
afterAll(async () => {
  await product.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** Runs the commands of a guide in its order, in one shell, and gives what they print. */
function follow(guide: string): string {
  const text = readFileSync(join(__dirname, `../../../docs/guide/${guide}.md`), 'utf8');
  const commands = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, command]) => command);
  const env = { ...process.env, DATA_DIR: dir, BASE: base };
  return execFileSync('bash', ['-euo', 'pipefail', '-c', commands.join('\necho\n')], { env, encoding: 'utf8' });
}

test('a reader of the guide makes a rule, sends a webhook and reads its process', () => {
  const printed = follow('first-rule');
  expect(printed).toMatch(/rule \d+ is saved/);
  expect(printed).toMatch(/"matched":(true|false)/);
  expect(printed).toContain('"success":true,"message":"1 event processed"');
  expect(printed).toContain('"event_type":"rule_evaluation"');
  expect(printed).toContain('Note on large orders');
});

test('the commands of the other guides do what they say', () => {
  const connected = follow('connect-a-gateway');
  expect(connected).toContain('"status":"healthy"');
  expect(connected).toContain('the warehouse was answered {"success":true');
  expect(connected).toContain('"test_success":true');
  expect(follow('why-did-an-order-not-move')).toContain('"would_fire"');
  const why = follow('why');
  expect(why).toMatch(/"outcome":"\w+","sentence":"Order 1006 /);
  expect(why).toContain('"field":"order.total"');
  expect(why).toContain('"recorded":true');
  const imagined = follow('what-if');
  expect(imagined).toMatch(/"outcome":"\w+","reason":"payment\.card\.payment_intent_succeeded for order 1004/);
  expect(imagined).toMatch(/"state":"done".*"newly_matching":\{"events":\d+/);
  expect(follow('ask')).toContain('"structuredContent":{"data":{"id":1006,');
  const read = follow('read-the-log');
  expect(read).toContain('"is_process_group":true');
  expect(read).toContain('"html":"<');
  expect(read).toMatch(/^id,timestamp,status/m);
  expect(read).toContain('event: entry');
  expect(read).toContain('"valid":true');
  const imported = follow('import-a-shop');
  expect(imported).toContain('{"done":true,"id":"first-try","lines":6,"imported":5,"refused":1,');
  expect(imported).toMatch(/"refusals":\[\{"line":6,"reason":"total: /);
  expect(imported).toContain('"value":"wc-gift-wrapping"');
  const jobs = follow('jobs');
  expect(jobs).toMatch(/Rule \d+ was saved as version 1\./);
  expect(jobs).toMatch(/^Order 1006 is still on hold/m);
  expect(jobs).toMatch(/new secret: +whsec_\S{43}\nstill valid: +…\S{4} \(environment\), until 20/);
  expect(jobs).toMatch(/environment +- +20\S+ \S+ +20/);
  expect(jobs).toContain('shop_viewer');
  expect(jobs).toMatch(/test: +succeeded/);
  expect(jobs).toMatch(/valid: +yes/);
  expect(jobs).toMatch(/status: +healthy/);
  const extended = follow('write-an-extension');
  expect(extended).toMatch(/3 "extension":"order-review.mjs"/);
  expect(extended).toContain('"id":"ships_abroad","label":"Ships to another country"');
}, 180_000);

test.each([
  ['/docs', '/docs/'],
  ['/docs/guide', '/docs/'],
  ['/docs/guide/', '/docs/'],
  ['/docs/reference/', '/docs/'],
  ['/docs/guide/first-rule/', '/docs/guide/first-rule'],
])('%s leads to %s', async (asked, shown) => {
  const { status, url } = await fetch(`${base}${asked}`);
  expect([status, url]).toEqual([200, `${base}${shown}`]);
});

test('an unknown page leads a browser to the documentation, and answers a program in JSON', async () => {
  const answers = ['text/html,*/*;q=0.8', '*/*'].map(async (accept) => {
    const answer = await fetch(`${base}/docs/guide/nothing`, { headers: { accept } });
    return [answer.status, answer.headers.get('content-type'), await answer.text()];
  });
  expect(await Promise.all(answers)).toEqual([
    [404, 'text/html; charset=utf-8', expect.stringContaining('<a href="/docs/">documentation</a>')],
    [404, 'application/json; charset=utf-8', expect.stringContaining('"rest_no_route"')],
  ]);
});

(browserPath ? describe : describe.skip)('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ ...(browserPath && { executablePath: browserPath }), args: quiet });
  }, 60_000);
  afterAll(() => browser.close());

  /** What axe, which the page has loaded, complains of. */
  async function violationsOf(page: Page, run: string): Promise<string[]> {
    const { violations } = await page.evaluate<{ violations: { id: string; help: string }[] }>(run);
    return violations.map(({ id, help }) => `${id}: ${help}`);
  }

  /** What the page says to the console, and every request that leaves for another address. */
  async function visit(path: string, width: number): Promise<{ page: Page; complaints: string[] }> {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(`${base}/`) && !url.startsWith('data:')) complaints.push(`a request to ${url}`);
    });
    await page.goto(`${base}${path}`);
    return { page, complaints };
  }

  test.each(pages)(
    '%s: nothing foreign, nothing in the console, accessible, nothing wider than the screen',
    async (path) => {
      const { page, complaints } = await visit(path, 1280);
      await page.evaluate(axe);
      expect(await violationsOf(page, withoutRepetition(path))).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(1280);
      await page.setViewportSize({ width: 360, height: 900 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
      expect(complaints).toEqual([]);
      await page.close();
    },
    120_000,
  );

  test('the contents open on a narrow screen: accessible, nothing wider than the screen', async () => {
    const { page, complaints } = await visit('/docs', 360);
    const link = page.getByRole('link', { name: 'Ask why' });
    expect(await link.count()).toBe(1);
    await page.getByRole('button', { name: 'Contents' }).click();
    expect(await link.count()).toBe(2);
    await page.evaluate(axe);
    expect(await violationsOf(page, 'axe.run()')).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    expect(complaints).toEqual([]);
    await page.close();
  }, 120_000);

  test.each([1280, 360])(
    'a rendered process at %i px: accessible, nothing wider than the screen or broken into letters',
    async (width) => {
      const { ADMIN_APPLICATION_PASSWORD = '' } = parseEnv(readFileSync(join(dir, 'generated.env'), 'utf8'));
      const authorization = `Basic ${Buffer.from(`admin:${ADMIN_APPLICATION_PASSWORD}`).toString('base64')}`;
      const ask = async <T>(path: string, init: RequestInit = {}): Promise<T> => {
        const answer = await fetch(`${base}/v1/${path}`, { ...init, headers: { authorization, ...init.headers } });
        return (await answer.json()) as T;
      };
      const { logs } = await ask<{ logs: { id: number }[] }>(
        'audit-log?view=flat&event_type=rule_evaluation&per_page=1',
      );
      const { nonce } = await ask<{ nonce: string }>('auth/nonce');
      const { html } = await ask<{ html: string }>('audit-log/render-components', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-host-nonce': nonce },
        body: JSON.stringify({ log_id: logs[0]?.id }),
      });
      const page = await browser.newPage({ viewport: { width, height: 900 } });
      const head = '<title>A process</title><meta name="viewport" content="width=device-width">';
      await page.setContent(
        `<!doctype html><html lang="en"><head>${head}</head><body><main><h1>The log</h1><h2>A process</h2>${html}</main></body></html>`,
      );
      await page.evaluate(axe);
      expect(await violationsOf(page, 'axe.run()')).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      const captions = await page.evaluate<number[]>(
        '[...document.querySelectorAll("caption")].map((caption) => caption.getBoundingClientRect().height)',
      );
      expect(captions.length).toBeGreaterThan(0);
      expect(Math.max(...captions)).toBeLessThan(40);
      await page.close();
    },
  );

  test('the search finds routes, guides and variables, also by words that are not theirs', async () => {
    const { page } = await visit('/docs', 1280);
    /** The link that these words find: what an earlier search found may stand there for a moment. */
    const found = async (words: string, title: string) => {
      await page.fill('#search', words);
      const link = page.locator('#found a', { hasText: title }).first();
      await link.waitFor();
      return link;
    };
    await found('undo', 'POST /v1/rules/{id}/restore');
    await found('secret_key', 'SECRET_KEY');
    await (await found('why did an order', 'Why did an order not move')).click();
    await page.getByRole('heading', { level: 1, name: /order/i }).waitFor();
    await page.close();
  });

  test('commands name this address, and a route that reads is tried with the session', async () => {
    const { page, complaints } = await visit('/docs/reference/webhooks', 1280);
    await page.goto(`${base}/docs`);
    expect(await page.locator('.command pre').first().innerText()).toContain(`BASE=${base}`);
    await page.goto(`${base}/docs/reference/webhooks#get-v1-webhooks-health`);
    const route = page.locator('#get-v1-webhooks-health');
    await route.getByText('Try it').click();
    await route.getByRole('button', { name: 'Send' }).click();
    await route.getByText(/^200 OK/).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });
});
