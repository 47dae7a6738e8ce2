import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeLanes, waitFor } from '@order-automation/testing';
import { startWooCommerceShop } from './woocommerce';
import { shopData, startWooCommerce } from './woocommerce-server';
import { isListed, type Site } from './woocommerce-server/dates';

type Finding = Site & { readonly name: string; readonly found: boolean };

const lines = readFileSync(join(__dirname, 'woocommerce-server/recorded/answers.ndjson'), 'utf8').trim().split('\n');
const findings = lines.map((line) => JSON.parse(line) as Finding).filter((one) => 'found' in one);
const now = Date.parse('2026-11-25T20:24:00Z');

test.each(findings.map((one) => [one.tables, one.zone, one.name, one] as const))(
  'stand-in, %s tables, %s: %s',
  (_tables, _zone, name, { tables, zone, found }) => {
    const order = shopData(() => now, { tables, zone }).putOrder(1, {});
    const minuteAgo = new Date(now - 60_000).toISOString().slice(0, 19);
    const query = new URLSearchParams({
      modified_after: name.includes('with Z') ? `${minuteAgo}Z` : minuteAgo,
      dates_are_gmt: String(name.endsWith('true')),
    });
    expect(isListed(order, query, { tables, zone })).toBe(found);
  },
);

test.each(['UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Asia/Kolkata', '+02:00'])(
  'stand-in, %s: without Z and with dates_are_gmt the time is right in both tables',
  (zone) => {
    for (const tables of ['new', 'old'] as const) {
      const order = shopData(() => now, { tables, zone }).putOrder(1, {});
      const isIn = (after: string) =>
        isListed(order, new URLSearchParams({ modified_after: after, dates_are_gmt: 'true' }), { tables, zone });
      expect([isIn('2026-11-25T20:23:59'), isIn('2026-11-25T20:24:00')]).toEqual([true, false]);
    }
  },
);

describeLanes('shop: woocommerce, a site in another zone', (lane) => {
  test.each(['Europe/Berlin', 'America/Los_Angeles'])('%s: a change that no webhook tells is found', async (zone) => {
    const deps = await lane.deps();
    const server = await startWooCommerce({ now: deps.clock.now, site: { zone, tables: 'old' } });
    const shop = await startWooCommerceShop(deps, server);
    await waitFor(() => server.calls.some(({ query }) => query.has('modified_after')));
    deps.clock.advance(10_000);
    server.putOrder(41, { status: 'processing' });
    deps.clock.advance(65_000);
    await waitFor(() => shop.changes.some(({ data }) => data.order_id === 41));
    await shop.close();
  });
});
