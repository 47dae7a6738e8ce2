import type { RequestInput, RequestOutput } from '@order-automation/contracts';
import { isAbout, type Person, walkForErasure, withoutAddress } from '@order-automation/service';
import type { Store } from '@order-automation/store';
import type { Evaluations } from '../attempts/evaluations';
import type { EvaluationDocument } from '../evaluation-document';
import type { Deliveries, DeliveryDocument } from './document';
import { isErased } from './resend';

/** Documents with what was sent that are in memory at a time. */
const atOnce = 50;

/** Removes what was sent to or about a person; the key stays, so that it is not sent again. A second call goes on where the first one failed. */
export async function eraseFromDeliveries(
  { email, customer_id, from }: RequestInput<'evaluation.person.erase.v1'>,
  deliveries: Deliveries,
  evaluations: Evaluations,
  store: Pick<Store, 'scrub'>,
): Promise<RequestOutput<'evaluation.person.erase.v1'>> {
  const person: Person = { email: email?.trim().toLowerCase() ?? null, customerId: customer_id };
  let [erased, unfinished] = [0, 0];
  const sent = async (after: string): Promise<string | undefined> => {
    const found = await deliveries.after(after, atOnce);
    for (const delivery of found.filter((one) => !isErased(one) && concerns(one, person))) {
      // An entry that the log does not have yet names the address too.
      if (delivery.state === 'pending' || delivery.entry !== null) unfinished += 1;
      else if (await deliveries.change(delivery, withoutContent(delivery))) erased += 1;
    }
    return found.at(-1)?._id;
  };
  const pending = async (after: string): Promise<string | undefined> => {
    const ids = idsBehind(after, await evaluations.idsOfUnfinished());
    for (const document of await evaluations.byIds(ids)) {
      if (document.done_at !== null || !isAbout(heldBy(document), person)) continue;
      if (await eraseWaiting(document, person, evaluations)) erased += 1;
      else unfinished += 1;
    }
    return ids.at(-1);
  };
  const recorded = async (after: string): Promise<string | undefined> => {
    if (customer_id === null || customer_id === 0) return undefined;
    const ids = idsBehind(after, await evaluations.idsOfCustomer(customer_id));
    if (ids.length > 0) await evaluations.forgetFacts({ ids });
    return ids.at(-1);
  };
  const next = await walkForErasure(from, [sent, pending, recorded]);
  if (next === null) await store.scrub();
  return { erased, unfinished, next };
}

/** What is kept of an event until it is done, as far as it may name a person. */
const heldBy = ({ subject, facts, steps, shop_entries, email }: EvaluationDocument) =>
  [subject, facts, steps, shop_entries, email].filter((held) => held !== undefined);

const idsBehind = (after: string, ids: readonly string[]): string[] => ids.filter((id) => id > after).slice(0, atOnce);

/** Masks the address in an event that waits for its order. False where it is evaluated now, or is about the number of a customer. */
async function eraseWaiting(
  document: EvaluationDocument,
  { email }: Person,
  { replaceSubject }: Evaluations,
): Promise<boolean> {
  const { state, subject } = document;
  if (state !== 'waiting' || email === null || subject?.kind !== 'event') return false;
  const masked = withoutAddress(subject, email);
  // The key only tells copies apart.
  const { idempotencyKey } = subject.event;
  return replaceSubject(document, { ...masked, event: { ...masked.event, idempotencyKey } });
}

function withoutContent({ attempts }: DeliveryDocument): Partial<DeliveryDocument> {
  return {
    payload: '',
    target: '[erased]',
    email: '',
    attempts: attempts.map((attempt) => ({ ...attempt, answer: null })),
  };
}

const concerns = ({ payload, target, attempts, email }: DeliveryDocument, person: Person): boolean =>
  isAbout([target, attempts, email ?? '', contentOf(payload)], person);

/** What was sent, and inside it the body of a call, which is JSON too. */
function contentOf(payload: string): unknown {
  const content = JSON.parse(payload) as { body?: unknown };
  if (typeof content.body !== 'string') return content;
  try {
    return { ...content, body: JSON.parse(content.body) };
  } catch {
    return content;
  }
}
