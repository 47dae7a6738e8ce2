import { openSync, readFileSync } from 'node:fs';
import { waitFor } from '@order-automation/testing';
import { randomFaults, startWooCommerce, type WooCommerceServer } from '../../shop/test/woocommerce-server';
import { startEmbedded } from './product';
import { apiClient } from './product-client';
import { payment, postSigned, type Running, startAlone } from './products';

/**
 * Paid orders of a WooCommerce shop of which a part of the requests fails, in sites with clocks of their own. A few of them here; `STORY_ORDERS=300`,
 * `STORY_KILLS=3` and `STORY_WITHIN=60000` tell the whole story of each site.
 */
const orders = Number(process.env.STORY_ORDERS ?? 14);
const kills = Number(process.env.STORY_KILLS ?? 1);
const rate = Number(process.env.STORY_FAULTS ?? 0.1);
const seed = Number(process.env.STORY_SEED ?? 1);
/** Milliseconds after the last acknowledgement within which everything is done. */
const within = Number(process.env.STORY_WITHIN ?? 120_000);
const firstId = 7_000;
const ids = Array.from({ length: orders }, (_, index) => firstId + index);
const texts = ['Paid', 'Thank you'];

let shop: WooCommerceServer;
let running: Running;
let product: Running['product'];

const sites = [
  { zone: 'UTC', tables: 'new' },
  { zone: 'Europe/Berlin', tables: 'old' },
  { zone: 'America/Los_Angeles', tables: 'new' },
] as const;

const open = async (site: (typeof sites)[number]): Promise<void> => {
  shop = await startWooCommerce({ site });
  running = await startAlone({
    LOG_LEVEL: 'info',
    SHOP_CONNECTOR: 'woocommerce',
    WOOCOMMERCE_URL: shop.url,
    // What the payments of these tests name.
    SHOP_URL: 'https://shop.example',
    WOOCOMMERCE_KEY: shop.key.key,
    WOOCOMMERCE_SECRET: shop.key.secret,
    OUTBOUND_ALLOW: '127.0.0.1',
  });
  product = running.product;
};
afterEach(async () => {
  await product?.stop();
  await running?.stop();
  await shop?.close();
}, 60_000);

const restart = async (): Promise<void> => {
  await product.kill();
  product = await startEmbedded({ env: running.env, log: openSync(running.logFile, 'a') });
  running = {
    ...running,
    product,
    url: `http://127.0.0.1:${product.port}`,
    client: apiClient(product.port, running.secrets),
  };
};
const notesOf = (id: number) =>
  texts.map((text) => shop.notesOf(id).filter(({ note }) => note.startsWith(text)).length);
const transitionsOf = (id: number) => shop.transitions.filter(({ order_id }) => order_id === id).map(({ to }) => to);
const isMoved = (id: number) => shop.orders.get(id)?.status === 'completed';
const hasNotes = (id: number) => notesOf(id).every((count) => count >= 1);
const isDone = (id: number) => isMoved(id) && hasNotes(id);

test.each(sites)(
  '$zone, $tables tables: every paid order is completed with its notes, once, though requests fail and processes die',
  async (site) => {
    await open(site);
    const note = (note_text: string) => ({
      id: 'add_order_note',
      settings: { note_text, is_customer_note: false, add_timestamp: false },
    });
    const rule = {
      trigger: { id: 'order_processing', settings: {} },
      conditions: [],
      primaryAction: { id: 'change_status_to_completed', settings: {} },
      secondaryActions: texts.map(note),
    };
    await running.client('POST', '/v1/rules', { name: 'Complete what is paid', enabled: true, rule });
    for (const id of ids) shop.putOrder(id, { status: 'pending', total: '49.00' });
    shop.calls.length = 0;
    shop.fault = randomFaults(rate, seed);
    for (const id of ids) expect((await postSigned(running, payment(`fault_${id}`, id))).success).toBe(true);
    const acknowledged = Date.now();
    const seconds = () => ((Date.now() - acknowledged) / 1000).toFixed(1);
    const report = () =>
      `${seconds()} s: ${ids.filter(isMoved).length} of ${orders} moved, ${ids.filter(hasNotes).length} with all notes, ${shop.calls.length} requests`;
    const reached = (condition: () => boolean) =>
      waitFor(condition, { timeout: within - (Date.now() - acknowledged) }).catch(() => {
        throw new Error(report());
      });
    for (let kill = 1; kill <= kills; kill += 1) {
      const share = (orders * kill) / (kills + 1);
      await reached(() => ids.filter(isDone).length >= share);
      await restart();
    }
    await reached(() => ids.every(isDone));
    const log = readFileSync(running.logFile, 'utf8').trimEnd().split('\n');
    const warnings = log.filter((line) => /"level":"(warn|error|fatal)"/.test(line));
    console.info(`${report()}, ${log.length} log lines, ${warnings.length} of them warnings`);
    for (const id of ids) expect([id, transitionsOf(id), notesOf(id)]).toEqual([id, ['completed'], [1, 1]]);
    // One line an outage, and none for each event and try.
    expect(warnings.slice(20)).toEqual([]);
  },
  270_000,
);
