import type { ShopCheckLine } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import type { WooCommerce } from './client';
import { ShopUnavailable } from './failures';
import { asFields } from './order-mapping';
import { permissionNames } from './permissions';
import type { WooCommerceSettings } from './settings';
import { shopStatuses } from './statuses';

const line = (name: string, state: ShopCheckLine['state'], text: string, cure: string | null = null) => ({
  name,
  state,
  text,
  cure,
});

/** Milliseconds by which clocks may differ: WooCommerce refuses a signed request after 15 minutes. */
const clocksDiffer = 60_000;
const refusesSigned = 15 * 60_000;
const keyCure =
  'In WooCommerce open Settings, Advanced, REST API: the key needs the permission Read/Write and a user who is a shop manager.';

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
    const reason = error instanceof ShopUnavailable ? error.reason : error.message;
    if (error instanceof ShopUnavailable && error.isUnauthorized) return [line('key', 'failed', reason, keyCure)];
    return [
      line('rest_api', 'failed', reason, 'Compare the address, and let requests to /wp-json through any firewall.'),
    ];
  }
  const reads = [permissionLines(shop), statusLine(shop, clock), versionLine(shop)] as const;
  const [permissions, statuses, version] = await Promise.all(reads);
  return [...waysLines(shop, address), ...permissions, statuses, version];
}

function waysLines(shop: WooCommerce, address: string): ShopCheckLine[] {
  const { way, ahead } = shop.reached() ?? { way: { isPlain: false, isSigned: false }, ahead: Number.NaN };
  const rest = way.isPlain
    ? line(
        'rest_api',
        'warning',
        'The REST API answers by ?rest_route= alone: permalinks are plain.',
        'It works. In WordPress choose any other form in Settings, Permalinks, which more plugins and caches expect.',
      )
    : line('rest_api', 'ok', `The REST API answers at ${address}/wp-json.`);
  const difference = Math.abs(ahead);
  const isLate = difference > clocksDiffer;
  const isRefused = way.isSigned && difference > refusesSigned;
  const clock = isLate
    ? `The clock of the shop is ${Math.round(difference / 1000)} s ${ahead > 0 ? 'ahead' : 'behind'}.`
    : 'The clock of the shop is right.';
  const cure = isLate ? 'Let both servers set their clocks by NTP.' : null;
  const lines = [rest, line('clock', isRefused ? 'failed' : isLate ? 'warning' : 'ok', clock, cure)];
  if (!address.startsWith('http:')) return lines;
  const text = 'The shop is reached over http: orders travel readable.';
  return [...lines, line('https', 'warning', text, 'Give the shop a certificate and connect it by https.')];
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

/** WooCommerce REST API, "System status": the property `environment`, which a shop manager may read. */
async function versionLine(shop: WooCommerce): Promise<ShopCheckLine> {
  const status = await shop.get('wc/v3/system_status', { _fields: 'environment' }).catch(() => undefined);
  const { version } = asFields(asFields(status).environment);
  if (typeof version !== 'string') return line('version', 'ok', 'The shop does not say which WooCommerce it runs.');
  return line('version', 'ok', `WooCommerce ${version.slice(0, 50)}.`);
}
