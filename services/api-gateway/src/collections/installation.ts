import type { Store } from '@order-automation/store';
import { orTaken } from './taken-names';

/** Somebody needs no list of first steps any more. */
type Dismissal = { readonly _id: 'first_steps_dismissed'; readonly at: string; readonly by: string };

export type Installation = Awaited<ReturnType<typeof openInstallation>>;

/** What administrators have settled for the installation as a whole. */
export async function openInstallation(store: Store) {
  const documents = await store.collection<Dismissal>('installation');
  const _id = 'first_steps_dismissed';
  return {
    isDismissed: async () => (await documents.findOne({ _id })) !== null,
    dismiss: async (by: string, at: string) => void (await orTaken(documents.insertOne({ _id, at, by }))),
    showAgain: async () => void (await documents.deleteMany({ _id })),
  };
}
