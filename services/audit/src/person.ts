import type { NewAuditEntry } from '@order-automation/contracts';
import type { ChainKeys } from './chain/keys';

const email = /[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190}\.[A-Za-z]{2,24}/;

/** By what an e-mail address is found in the log, which never holds it (decisions.md section 7). */
export const emailHash = (address: string, keys: ChainKeys): string => keys.mac('email', address.trim().toLowerCase());
export const customerHash = (id: number, keys: ChainKeys): string => keys.mac('customer', id);

/** Keyed hashes of the first e-mail address in an entry and of the customer that its details name. */
export function personOf({ summary, details }: Pick<NewAuditEntry, 'summary' | 'details'>, keys: ChainKeys) {
  const text = JSON.stringify(details);
  const address = email.exec(summary)?.[0] ?? (text.includes('@') ? email.exec(text)?.[0] : undefined);
  const { customer_id } = details;
  return {
    ...(address === undefined ? {} : { email_hash: emailHash(address, keys) }),
    ...(typeof customer_id === 'number' && customer_id > 0 ? { customer_hash: customerHash(customer_id, keys) } : {}),
  };
}
