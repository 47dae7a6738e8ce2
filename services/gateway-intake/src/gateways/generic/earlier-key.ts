import { keyOfId } from '../keys';
import { type Payload, parseJson, scalarAt } from '../payload';
import { genericGateway } from './adapter';
import { genericFields } from './fields';

export type StoredKey = { readonly key: string; readonly connection: string | null; readonly body: string };

/**
 * The idempotency key that this version computes for a webhook stored by a version of before 23 November 2026, which left out the payload's own
 * id where the key is what the payload says about a payment. Any other key stays as it is, and so does a hashed one of a connection whose field
 * paths named what it is made of.
 */
export function keyOfEarlier({ key, connection, body }: StoredKey): string {
  if (!key.startsWith(genericGateway)) return key;
  const payload = parseJson(Buffer.from(body)).value;
  const id = scalarAt(payload, 'id');
  const said = id === undefined ? undefined : (readable(key) ?? saidBy(payload as Payload, connection));
  if (said === undefined || said[3] === id || keyOf(said) !== key) return key;
  return keyOf([...said, id]);
}

const keyOf = (said: readonly unknown[]): string => keyOfId(genericGateway, JSON.stringify(said));

/** What a key is made of, where it can be read in it: seven values of a payment; a key that names an event has three. */
function readable(key: string): unknown[] | undefined {
  if (!key.startsWith(`${genericGateway}:[`)) return undefined;
  const said = JSON.parse(key.slice(genericGateway.length + 1)) as unknown[];
  return said.length === 7 ? said : [];
}

function saidBy(payload: Payload, connection: string | null): unknown[] {
  const { type, said, transaction, amount, amountProblem, currency, status } = genericFields(payload);
  const order = said.references[0]?.value ?? null;
  return [connection, type, order, transaction, amount ?? amountProblem, currency, status];
}
