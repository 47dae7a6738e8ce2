import type { Answer, CommandResult } from '@order-automation/contracts';
import { isAbout, type Person, walkForErasure } from '@order-automation/service';
import type { Store } from '@order-automation/store';
import type { Journal } from './journal';
import type { StepJournal } from './step-journal';

/** Milliseconds for which a key is known: longer than intake can repeat an event (35 days). */
const keepKeys = 40 * 24 * 60 * 60_000;

const atOnce = 200;

type Journals = { readonly journal: Journal; readonly steps: StepJournal };

/** Removes what is so old that no event can name its key any more. */
export async function purgeJournals({ journal, steps }: Journals, now: number): Promise<void> {
  await journal.purge(now - keepKeys);
  await steps.purge(now - keepKeys);
}

/** Takes the texts of results that are about a person out of the journals. Their keys stay, so that nothing is done twice. */
export const eraseFromJournals: Answer<'shop.person.erase.v1', Journals & { readonly store: Store }> = async (
  { email, customer_id, from },
  { journal, steps, store },
) => {
  const person: Person = { email: email?.trim().toLowerCase() ?? null, customerId: customer_id };
  let erased = 0;
  const ofJournal = async (after: string): Promise<string | undefined> => {
    const found = await journal.after(after, atOnce);
    for (const { _id, result } of found) {
      if (!result || !isAbout(result, person)) continue;
      await journal.replaceResult(_id, withoutText(result));
      erased += 1;
    }
    return found.at(-1)?._id;
  };
  const ofSteps = async (after: string): Promise<string | undefined> => {
    const found = await steps.after(after, atOnce);
    for (const { results, ...document } of found) {
      if (!results || !isAbout(results, person)) continue;
      await steps.finish({ ...document, results: results.map(withoutText) });
      erased += 1;
    }
    return found.at(-1)?._id;
  };
  const next = await walkForErasure(from, [ofJournal, ofSteps]);
  if (next === null) await store.scrub();
  return { erased, next };
};

const withoutText = (result: CommandResult): CommandResult => ({ ...result, message: '[erased]', changes: [] });
