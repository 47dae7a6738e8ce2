import type { Answer, Occurrence } from '@order-automation/contracts';
import { compileRules } from '@order-automation/engine';
import type { ReadDeps } from './reads';
import { recordOf } from './rule-documents';

/** Disabled rules that are looked at, and that are named. */
const maxSeen = 500;
const maxNamed = 5;

/** Disabled rules that an event of this kind would fire if they were enabled. */
export const disabledListeners: Answer<'rules.disabled-listeners.v1', ReadDeps> = async (kind, { rules, registry }) => {
  const documents = await rules.page({ enabled: false }, 0, maxSeen);
  const records = documents.map((document) => ({ ...recordOf(document), enabled: true }));
  const occurrence: Occurrence = {
    ...kind,
    key: 'kind',
    order_id: 0,
    transaction_id: null,
    from_status: null,
    to_status: null,
    authenticated: true,
    at: new Date(0).toISOString(),
  };
  const listening = compileRules(records, registry).forOccurrence(occurrence);
  const named = listening.slice(0, maxNamed).map(({ record: { id, name } }) => ({ id, name }));
  return { rules: named, total: listening.length };
};
