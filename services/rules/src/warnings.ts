import type { RequestOutput, RuleWarning } from '@order-automation/contracts';
import { ruleConflicts, ruleWarnings } from '@order-automation/engine';
import type { ConsequenceDeps } from './consequences';
import { type RuleDocument, recordOf } from './rule-documents';
import { unknownRecords } from './unknown-records';

/** Rules that a saved one is compared with. */
const mostCompared = 300;

/** What is odd about a rule that was saved, alone and beside the enabled rules. Nothing here can fail a save. */
export async function savedWarnings(document: RuleDocument, deps: ConsequenceDeps): Promise<RuleWarning[]> {
  const { rules, registry, telemetry } = deps;
  const record = recordOf(document);
  const own = [...ruleWarnings(record, registry), ...(await unknownRecords([record], deps))];
  if (!document.enabled) return own;
  try {
    const triggers = [...registry.triggers.keys()];
    const others = await rules.listening(triggers, mostCompared);
    const compared = [...others.filter(({ _id }) => _id !== document._id), document].map(recordOf);
    return [...own, ...ruleConflicts(compared, registry, document._id)];
  } catch (error) {
    telemetry.deferred('warnings', document._id, error);
    return own;
  }
}

/** Of all enabled rules. */
export async function listConflicts(deps: ConsequenceDeps): Promise<RequestOutput<'rules.conflict.list.v1'>> {
  const { rules, registry } = deps;
  const records = (await rules.active()).map(recordOf);
  const own = records.flatMap((record) => ruleWarnings(record, registry));
  const unknown = await unknownRecords(records, deps);
  return { warnings: [...own, ...unknown, ...ruleConflicts(records, registry)] };
}
