import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { waitFor } from '@order-automation/testing';
import { source as axe } from 'axe-core';
import Database from 'better-sqlite3';
import { MongoClient } from 'mongodb';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { demonstration } from '../src/demonstration';
import { cardSignature } from './card-webhook';
import { type Product, startEmbedded } from './product';
import { describeProducts } from './products';

/** A product and a browser in which people use its console. */

/** The first of them is made for tests alone, and takes less of the processor. */
export const browserPath = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
  .map((name) => `/usr/bin/${name}`)
  .find(existsSync);
/** Flags of a browser that asks nobody but the page. */
export const quiet = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'].concat(
  '--disable-background-networking',
  '--disable-component-update',
);

/** Many processes on a busy machine take their time. */
export const patiently = { timeout: 60_000 };

export type Running = {
  readonly base: string;
  readonly secrets: Readonly<Record<string, string>>;
  readonly browser: Browser;
  /** Calls the interface as the administrator, with an application password. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** Makes dead letters of the events that are done, as evaluation leaves them. */
  giveUp(reason: string): Promise<void>;
  close(): Promise<void>;
};

type Environment = Readonly<Record<string, string>>;

/** The same stories on both compositions: what the console reads comes through the bus, from one process or from many. */
export function describeConsole(name: string, suite: (start: (env?: Environment) => Promise<Running>) => void): void {
  (browserPath ? describe : describe.skip)('in a browser', () =>
    describeProducts(name, (start, mode) => {
      if (mode === 'embedded') return suite(startConsole);
      suite(async (env = {}) => {
        const running = await start({ LOG_LEVEL: 'warn', ...env });
        const browser = await launch();
        const { url: base, env: secrets, client } = running;
        // One process makes it by itself at its first start.
        await client('POST', '/v1/rules', demonstration);
        const close = async () => {
          await browser.close();
          await running.stop();
        };
        return { base, secrets, browser, call: client, giveUp: (reason) => giveUpInDatabase(secrets, reason), close };
      });
    }),
  );
}

const launch = () => chromium.launch({ ...(browserPath && { executablePath: browserPath }), args: quiet });

async function giveUpInDatabase({ MONGODB_URI = '', NAMESPACE }: Environment, reason: string): Promise<void> {
  const client = await MongoClient.connect(MONGODB_URI);
  const inbox = client.db(`${NAMESPACE}_gateway_intake`).collection('inbox');
  const { matchedCount } = await inbox.updateMany({ state: 'done' }, { $set: { state: 'dead', reason } });
  await client.close();
  if (matchedCount === 0) throw new Error('no event is done');
}

function giveUpInFile(dir: string, reason: string): void {
  const database = new Database(join(dir, 'gateway-intake.sqlite'));
  database
    .prepare(
      `UPDATE inbox SET doc = json_set(doc, '$.state', 'dead', '$.reason', ?), "v:state" = 'dead' WHERE "v:state" = 'done'`,
    )
    .run(reason);
  database.close();
}

/** One process; it can be ended, and starts again on the same port with its data. */
export async function startConsole(
  env: Environment = {},
): Promise<Running & { stop(): Promise<void>; start(changed?: Environment): Promise<void> }> {
  const dir = mkdtempSync(join(tmpdir(), 'order-automation-console-'));
  const start = (port: string, changed: Environment = {}) =>
    startEmbedded({
      env: { DATA_DIR: dir, PORT: port, OPS_PORT: '0', LOG_LEVEL: 'warn', ...env, ...changed },
      log: 'ignore',
    });
  let product: Product = await start('0');
  const { port } = product;
  const base = `http://127.0.0.1:${port}${env.BASE_PATH ?? ''}`;
  const browser = await launch();
  const stop = async () => void (await product.stop());
  const restart = async (changed: Environment = {}) => {
    product = await start(String(port), changed);
  };
  const secrets = parseEnv(readFileSync(join(dir, 'generated.env'), 'utf8')) as Record<string, string>;
  const login = Buffer.from(`admin:${secrets.ADMIN_APPLICATION_PASSWORD}`).toString('base64');
  return {
    base,
    secrets,
    browser,
    call: async <T>(method: string, path: string, body?: unknown) => {
      const answer = await fetch(`${base}${path}`, {
        method,
        headers: { authorization: `Basic ${login}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as T;
    },
    stop,
    start: restart,
    // Nobody else may write to the file.
    giveUp: async (reason) => {
      await stop();
      giveUpInFile(dir, reason);
      await restart();
    },
    close: async () => {
      await browser.close();
      await product.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export type Visitor = {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What the pages said to the browser's console, and requests that left for other addresses. */
  readonly complaints: string[];
};

type Look = { readonly width?: number; readonly theme?: 'light' | 'dark' };

/** Somebody who has not signed in. */
export async function visitor(
  { base, browser }: Pick<Running, 'base' | 'browser'>,
  { width = 1280, theme = 'light' }: Look = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: theme,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  const complaints: string[] = [];
  // A machine that others keep busy: the page asks again, and the test waits for what it shows.
  page.on('console', (message) => {
    if (!message.text().includes('status of 503')) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${base}/`) && !/^(data|blob):/.test(url)) complaints.push(`a request to ${url}`);
  });
  return { context, page, complaints };
}

/** Presses again while a product that has just started cannot answer yet. */
export async function signIn(
  running: Pick<Running, 'base' | 'secrets'>,
  { page }: Visitor,
  name = 'admin',
  password?: string,
): Promise<void> {
  await page.goto(`${running.base}/sign-in`);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(password ?? running.secrets.ADMIN_PASSWORD ?? '');
  const overview = page.getByRole('heading', { name: 'Overview' });
  const unavailable = page.getByText(/The service (is not available at the moment|took too long to answer)/);
  await waitFor(
    async () => {
      if (await overview.isVisible()) return true;
      await page.getByRole('button', { name: 'Sign in' }).click();
      await overview.or(unavailable).waitFor();
      return overview.isVisible();
    },
    { describe: 'the page after signing in', timeout: 60_000 },
  );
}

/** An administrator who has signed in. */
export async function administrator(running: Pick<Running, 'base' | 'browser' | 'secrets'>): Promise<Visitor> {
  const admin = await visitor(running);
  await signIn(running, admin);
  return admin;
}

/** Waits until what the page reads is there. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').waitFor();
  await waitFor(async () => (await page.locator('[aria-busy=true]').count()) === 0, {
    describe: 'a page that was read',
    ...patiently,
  });
}

/** What axe finds, and whether something is wider than the screen. */
export async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate<{ violations: { id: string; help: string; nodes: { html: string }[] }[] }>(
    'axe.run()',
  );
  const faults = violations.map(({ id, help, nodes }) => `${id}: ${help} (${nodes[0]?.html.slice(0, 200)})`);
  const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  return over > 0 ? [...faults, `${over} px wider than the screen`] : faults;
}

/** A payment, signed as the card gateway signs it; gives its process. */
export async function post(running: Running, orderId: number, minor: number, currency: string): Promise<string> {
  const object = { id: `pi_${orderId}`, amount: minor, currency, metadata: { order_id: String(orderId) } };
  const body = JSON.stringify({
    id: `evt_${orderId}_${Date.now()}`,
    type: 'payment_intent.succeeded',
    data: { object },
  });
  const secret = running.secrets.GATEWAY_CARD_SECRETS ?? '';
  const at = Math.floor(Date.now() / 1000);
  const answer = await fetch(`${running.base}/v1/webhooks/gateway_card`, {
    method: 'POST',
    headers: { 'Card-Signature': cardSignature(secret, Buffer.from(body), at), 'content-type': 'application/json' },
    body,
  });
  return ((await answer.json()) as { process_id: string }).process_id;
}

/** The same, and evaluated. */
export async function pay(running: Running, orderId: number, minor: number, currency: string): Promise<string> {
  const process_id = await post(running, orderId, minor, currency);
  await waitFor(async () => {
    const { logs } = await running.call<{ logs: { event_type: string }[] }>(
      'GET',
      `/v1/audit-log?view=flat&process_id=${process_id}`,
    );
    return logs.some(({ event_type }) => event_type === 'process_completed');
  }, patiently);
  return process_id;
}
