import { type Call, ShopFailure } from './answers';
import { ShopRefusal } from './failures';

const reading = (resource: string): Call => ({
  method: 'GET',
  path: `wc/v3/${resource}`,
  query: { include: 0, _fields: 'id' },
});

export const changeNothing: Call = { method: 'PUT', path: 'wc/v3/orders/0', query: {}, body: {} };

/**
 * A request for each permission that the key needs, which changes nothing: no order has the id 0. A key that may write gets
 * that answer, one that may not is refused before. Without webhooks changes are read once a minute; nothing else can be missing.
 */
const permissions: readonly { readonly name: string; readonly call: Call; readonly isOptional?: true }[] = [
  { name: 'read orders', call: reading('orders') },
  { name: 'change orders', call: changeNothing },
  { name: 'write notes', call: { method: 'POST', path: 'wc/v3/orders/0/notes', query: {}, body: { note: '-' } } },
  { name: 'read products', call: reading('products') },
  { name: 'read customers', call: reading('customers') },
  { name: 'read webhooks', call: reading('webhooks'), isOptional: true },
];

const calls = new Set(permissions.map(({ call }) => call));
/** Its refusal says nothing about the shop. */
export const asksForPermission = (call: Call): boolean => calls.has(call);

export const permissionNames = permissions.map(({ name }) => name);

/** What the key lacks, for an operator. `isUsable`: the service works without it. */
export type Lacking = { readonly names: readonly string[]; readonly reason: string; readonly isUsable: boolean };

/** Asks for each permission; null when the key has all of them. Rejects when that cannot be found out. */
export async function lackingPermissions(send: (call: Call) => Promise<unknown>): Promise<Lacking | null> {
  const refused = await Promise.all(permissions.map(async (one) => ((await isGranted(one.call, send)) ? [] : [one])));
  const lacking = refused.flat();
  if (lacking.length === 0) return null;
  const names = lacking.map(({ name }) => name);
  const reason = `The key may not ${names.join(', ')}: give it the permission Read/Write and let it belong to a shop manager.`;
  return { names, reason, isUsable: lacking.every(({ isOptional }) => isOptional) };
}

async function isGranted(call: Call, send: (call: Call) => Promise<unknown>): Promise<boolean> {
  try {
    await send(call);
    return true;
  } catch (error) {
    if (error instanceof ShopRefusal) return true;
    const status = error instanceof ShopFailure ? error.facts.status : undefined;
    if (status === 401 || status === 403) return false;
    throw error;
  }
}
