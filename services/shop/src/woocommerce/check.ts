import type { ShopCheckLine } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import type { WooCommerce } from './client';
import { ShopUnavailable } from './failures';
import { permissionNames } from './permissions';
import type { WooCommerceSettings } from './settings';
import { shopStatuses } from './statuses';

type State = ShopCheckLine['state'];
const line = (name: string, state: State, text: string, cure: string | null = null): ShopCheckLine => {
  return { name, state, text, cure };
};

/** Milliseconds by which clocks may differ: WooCommerce refuses a signed request after 15 minutes. */
const clocksDiffer = 60_000;
const refusesSigned = 15 * 60_000;
const keyCure =
  'In WooCommerce open Settings, Advanced, REST API: the key needs the permission Read/Write and a user who is a shop manager.';
const addressCure = 'Compare the address, and let requests to /wp-json through any firewall.';

/** What works in the shop and what does not, one line each. Nothing in it changes: writes name the order 0, which no shop has. */
export async function checkShop(
  shop: WooCommerce,
  { address }: Pick<WooCommerceSettings, 'address'>,
  clock: Clock,
): Promise<ShopCheckLine[]> {
  try {
    await shop.page('wc/v3/orders', { per_page: 1, _fields: 'id' });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { message } = error;
    if (!(error instanceof ShopUnavailable)) return [line('rest_api', 'failed', message, addressCure)];
    if (error.isUnauthorized) return [line('key', 'failed', error.reason, keyCure)];
    return [line('rest_api', 'failed', error.reason, addressCure)];
  }
  const [permissions, statuses] = await Promise.all([permissionLines(shop), statusLine(shop, clock)]);
  return [...wayLines(shop, address), ...permissions, statuses];
}

function wayLines(shop: WooCommerce, address: string): ShopCheckLine[] {
  const { way, ahead } = shop.reached() ?? { way: { isPlain: false, isSigned: false }, ahead: Number.NaN };
  const plain = 'The REST API answers, but permalinks are plain.';
  const choose = 'In WordPress choose another form in Settings, Permalinks, which more plugins and caches expect.';
  const rest = way.isPlain
    ? line('rest_api', 'warning', plain, choose)
    : line('rest_api', 'ok', `The REST API answers at ${address}/wp-json.`);
  const difference = Math.abs(ahead);
  const differs = `The clock of the shop is ${Math.round(difference / 1000)} s ${ahead > 0 ? 'ahead' : 'behind'}.`;
  const isRefused = way.isSigned && difference > refusesSigned;
  const time =
    difference > clocksDiffer
      ? line('clock', isRefused ? 'failed' : 'warning', differs, 'Let both servers set their clocks by NTP.')
      : line('clock', 'ok', 'The clock of the shop is right.');
  if (!address.startsWith('http:')) return [rest, time];
  const cure = 'Give the shop a certificate and connect it by https.';
  return [
    rest,
    time,
    line('https', 'warning', 'The shop is reached over http: anybody on the way can read orders.', cure),
  ];
}

async function permissionLines(shop: WooCommerce): Promise<ShopCheckLine[]> {
  const lacking = await shop.lackingPermissions();
  return permissionNames.map((name) => {
    if (!lacking?.names.includes(name)) return line(name, 'ok', `The key may ${name}.`);
    return line(name, lacking.isUsable ? 'warning' : 'failed', `The key may not ${name}.`, keyCure);
  });
}

async function statusLine(shop: WooCommerce, clock: Clock): Promise<ShopCheckLine> {
  const statuses = await shopStatuses(shop, clock).listed();
  if (statuses === 'any') return line('statuses', 'warning', 'The shop does not list its order statuses.', keyCure);
  return line('statuses', 'ok', `Order statuses: ${statuses.split(',').join(', ')}.`);
}
