import type { RequestInput, RequestOutput } from '@order-automation/contracts';
import { isAbout, type Person } from '@order-automation/service';
import type { Store } from '@order-automation/store';
import type { Deliveries, DeliveryDocument } from './document';
import { isErased } from './resend';

/** Documents with what was sent that are in memory at a time. */
const atOnce = 50;

/** Removes what was sent to or about a person; the key stays, so that it is not sent again. A second call goes on where the first one failed. */
export async function eraseFromDeliveries(
  { email, customer_id }: RequestInput<'evaluation.person.erase.v1'>,
  deliveries: Deliveries,
  store: Pick<Store, 'scrub'>,
  forgetFacts: (customerId: number) => Promise<unknown>,
): Promise<RequestOutput<'evaluation.person.erase.v1'>> {
  const person: Person = { email: email?.trim().toLowerCase() ?? null, customerId: customer_id };
  let [erased, unfinished] = [0, 0];
  for (let after = ''; ; ) {
    const found = await deliveries.after(after, atOnce);
    const last = found.at(-1);
    if (!last) break;
    after = last._id;
    for (const delivery of found.filter((one) => !isErased(one) && concerns(one, person))) {
      // An entry that the log does not have yet names the address too.
      if (delivery.state === 'pending' || delivery.entry !== null) unfinished += 1;
      else if (await deliveries.save(delivery, { ...withoutContent(delivery), ...dueOf(delivery) })) erased += 1;
    }
  }
  if (customer_id !== null && customer_id > 0) await forgetFacts(customer_id);
  await store.scrub();
  return { erased, unfinished };
}

const dueOf = ({ due }: DeliveryDocument) => (due === undefined ? {} : { due });

function withoutContent({ attempts }: DeliveryDocument): Partial<DeliveryDocument> {
  return { payload: '', target: '[erased]', attempts: attempts.map((attempt) => ({ ...attempt, answer: null })) };
}

function concerns({ payload, target, attempts }: DeliveryDocument, person: Person): boolean {
  return isAbout([target, attempts, contentOf(payload)], person);
}

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
