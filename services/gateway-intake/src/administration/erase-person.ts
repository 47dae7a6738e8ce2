import type { Answer } from '@order-automation/contracts';
import { isAbout, type Person, walkForErasure, withoutAddress } from '@order-automation/service';
import { bodyBytes, type PayloadDocument, quotaReleased } from '../inbox/documents';
import type { Parts } from './parts';
import { payloadOf } from './replay/events';

/** Payloads with their bodies, of up to 1 MiB each, that are in memory at a time. */
const atOnce = 50;

/** Removes what was received about a person (decisions.md section 7), reading every stored webhook. A second call goes on where the first one failed. */
export const erasePerson: Answer<'intake.person.erase.v1', Parts> = async ({ email, customer_id, from }, parts) => {
  const { inbox, payloads, quota } = parts.collections;
  const person: Person = { email: email?.trim().toLowerCase() ?? null, customerId: customer_id };
  let [erased, unconfirmed] = [0, 0];
  const walk = async (after: string): Promise<string | undefined> => {
    const found = await payloads.after(after, atOnce);
    const about = found.filter((one) => concerns(one, person));
    const documents = new Map((await inbox.byIds(about.map(({ _id }) => _id))).map((one) => [one._id, one]));
    for (const payload of about) {
      const document = documents.get(payload._id);
      if (document?.state === 'verifying') unconfirmed += 1;
      else {
        const left = withoutPerson(payload, person);
        await payloads.erase(payload._id, left);
        await inbox.erase(payload._id, left.event.eventType);
        if (document) await quota.add([quotaReleased(document)]);
        erased += 1;
      }
    }
    return found.at(-1)?._id;
  };
  const next = await walkForErasure(from, [walk]);
  if (next === null) await parts.store.scrub();
  return { erased, unconfirmed, next };
};

function concerns(payload: PayloadDocument, person: Person): boolean {
  const { event, webhook, body } = payload;
  if (isAbout([event, webhook.metadata, webhook.headers], person)) return true;
  if (body === undefined) return false;
  return isAbout(payloadOf(payload) ?? bodyBytes(payload).toString('latin1'), person);
}

function withoutPerson({ event, webhook }: PayloadDocument, { email }: Person) {
  const masked = email === null ? { event, webhook } : withoutAddress({ event, webhook }, email);
  // The key, here and in the event, only tells copies apart.
  return { ...masked, event: { ...masked.event, idempotencyKey: event.idempotencyKey } };
}
