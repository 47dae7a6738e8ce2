import type { RequestInput, RequestOutput } from '@order-automation/contracts';
import type { Store } from '@order-automation/store';
import { isAbout, type Person, withoutAddress } from '../gateways/person';
import { bodyBytes } from '../inbox/document';
import type { Inbox, InboxDocument } from '../inbox/inbox';
import type { Quota } from '../inbox/quota';
import { payloadOf } from './events';

export type ErasureParts = {
  readonly inbox: Inbox;
  readonly collections: { readonly quota: Quota };
  readonly store: Pick<Store, 'scrub'>;
};

/** Documents with their bodies, of up to 1 MiB each, that are in memory at a time. */
const atOnce = 50;

/**
 * Removes what was received about a person (decisions.md section 7): every stored webhook is read, for nothing indexes what is in them. A second
 * call goes on where the first one failed.
 */
export async function erasePerson(
  { inbox, collections, store }: ErasureParts,
  { email, customer_id }: RequestInput<'intake.person.erase.v1'>,
): Promise<RequestOutput<'intake.person.erase.v1'>> {
  const person: Person = { email: email?.trim().toLowerCase() ?? null, customerId: customer_id };
  let [erased, unconfirmed] = [0, 0];
  for (let after = ''; ; ) {
    const documents = await inbox.after(after, atOnce);
    const last = documents.at(-1);
    if (!last) break;
    after = last._id;
    for (const document of documents.filter((one) => concerns(one, person))) {
      if (document.state === 'verifying') unconfirmed += 1;
      else {
        await eraseOne(inbox, document, person);
        erased += 1;
        await collections.quota.add(-(document.quota_bytes ?? 0));
      }
    }
  }
  await store.scrub();
  return { erased, unconfirmed };
}

function concerns(document: InboxDocument, person: Person): boolean {
  const { event, webhook } = document;
  if (isAbout([event, webhook.metadata, webhook.headers], person)) return true;
  if (document.body === undefined) return false;
  return isAbout(payloadOf(document) ?? bodyBytes(document).toString('latin1'), person);
}

function eraseOne(inbox: Inbox, { _id, event, webhook }: InboxDocument, { email }: Person): Promise<void> {
  const masked = email === null ? { event, webhook } : withoutAddress({ event, webhook }, email);
  // The key, here and in the event, only tells copies apart.
  const { idempotencyKey } = event;
  return inbox.eraseBody(_id, { ...masked, event: { ...masked.event, idempotencyKey } });
}
