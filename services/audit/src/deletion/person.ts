import type { NewAuditEntry } from '@order-automation/contracts';
import { addressIn } from '@order-automation/service';
import type { ChainKeys } from '../chain/keys';

const emailParts = (address: string) => ['email', address.trim().toLowerCase()] as const;
const customerParts = (id: number) => ['customer', id] as const;

/** By what a person is found in the log, which holds neither address nor id (decisions.md section 7): a hash under each key. */
export const emailHashes = (address: string, keys: ChainKeys): readonly string[] => keys.macs(emailParts(address));
export const customerHashes = (id: number, keys: ChainKeys): readonly string[] => keys.macs(customerParts(id));

/** Keyed hashes of an entry's first e-mail address, else of its order's billing address, and of the customer named. Clean details hold no address. */
export function personOf(
  { summary, details, email }: Pick<NewAuditEntry, 'summary' | 'details' | 'email'>,
  keys: ChainKeys,
  detailsAreClean = false,
) {
  const named = addressIn(summary) ?? (detailsAreClean ? undefined : addressIn(JSON.stringify(details)));
  const address = named ?? (email?.includes('@') ? email : undefined);
  const { customer_id } = details;
  return {
    ...(address === undefined ? {} : { email_hash: keys.mac(emailParts(address)) }),
    ...(typeof customer_id === 'number' && customer_id > 0
      ? { customer_hash: keys.mac(customerParts(customer_id)) }
      : {}),
  };
}
