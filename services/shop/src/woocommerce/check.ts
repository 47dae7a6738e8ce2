import type { ShopCheckLine } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import type { WooCommerce } from './client';
import { ShopUnavailable } from './failures';
import { permissionNames } from './permissions';
import type { WooCommerceSettings } from './settings';
import { shopStatuses } from './statuses';
import { firstWay } from './ways';

type Line = ShopCheckLine;
const ok = (name: string, text: string): Line => ({ name, state: 'ok', text, cure: null });
const warning = (name: string, text: string, cure: string): Line => ({ name, state: 'warning', text, cure });
const failed = (name: string, text: string, cure: string): Line => ({ name, state: 'failed', text, cure });

/** Milliseconds by which clocks may differ: WooCommerce refuses a signed request after 15 minutes. */
const clocksDiffer = 60_000;
const refusesSigned = 15 * 60_000;
const keyCure =
  'In WooCommerce open Settings, Advanced, REST API: the key needs the permission Read/Write and a user who is a shop manager.';
const addressCure =
  'Compare the address, and let requests to /wp-json through any firewall. What fails in a plugin stands in WooCommerce, Status, Logs.';

/** What works in the shop and what does not, one line each. Nothing in it changes: writes name the order 0, which no shop has. */
export async function checkShop(
  shop: WooCommerce,
  { address }: Pick<WooCommerceSettings, 'address'>,
  clock: Clock,
): Promise<Line[]> {
  try {
    await shop.page('wc/v3/orders', { include: 0, _fields: 'id' });
  } catch (error) {
    if (error instanceof ShopUnavailable && error.isUnauthorized) return [failed('key', error.reason, keyCure)];
    const reason = error instanceof ShopUnavailable ? error.reason : (error as Error).message;
    return [failed('rest_api', reason, addressCure)];
  }
  const [lacking, statuses] = await Promise.all([
    shop.lackingPermissions(),
    shopStatuses(shop, clock).listing(async (all) => all),
  ]);
  const refused = lacking?.isUsable === false ? failed : warning;
  const permissions = permissionNames.map((name) =>
    lacking?.names.includes(name)
      ? refused(name, `The key may not ${name}.`, keyCure)
      : ok(name, `The key may ${name}.`),
  );
  const listed =
    statuses === 'any'
      ? warning('statuses', 'The shop does not list its order statuses.', keyCure)
      : ok('statuses', `Order statuses: ${statuses.split(',').join(', ')}.`);
  return [...wayLines(shop, address), ...permissions, listed];
}

function wayLines(shop: WooCommerce, address: string): Line[] {
  const { way, ahead } = shop.reached() ?? { way: firstWay({ address }), ahead: Number.NaN };
  const choose =
    'In WordPress compare the address with Settings, General, and choose "Post name" in Settings, Permalinks, which more plugins and caches expect.';
  const rest = way.isPlain
    ? warning('rest_api', `The REST API answers, but not below ${address}/wp-json.`, choose)
    : ok('rest_api', `The REST API answers at ${address}/${way.prefix}.`);
  const difference = Math.abs(ahead);
  const differs = `The clock of the shop is ${Math.round(difference / 1000)} s ${ahead > 0 ? 'ahead' : 'behind'}.`;
  const wrong = way.signed !== null && difference > refusesSigned ? failed : warning;
  const time =
    difference > clocksDiffer
      ? wrong('clock', differs, 'Let both servers set their clocks by NTP.')
      : ok('clock', 'The clock of the shop is right.');
  const readable = 'The shop is reached over http: anybody on the way can read orders.';
  const https = warning('https', readable, 'Give the shop a certificate and connect it by https.');
  return address.startsWith('http:') ? [rest, time, https] : [rest, time];
}
