import type { RequestOutput, RuleRecord, RuleWarning } from '@order-automation/contracts';
import { type Conflicts, conflictsOf, ruleConflicts } from './conflicts/conflicts';
import { ruleWarnings } from './conflicts/rule-warnings';
import type { RulesDeps } from './deps';
import { type RuleDocument, recordOf } from './rule-documents';
import { sendingWarnings } from './sending-warnings';
import { unknownRecords } from './unknown-records';

/** Rules of each kind that a saved one is compared with; the list of conflicts compares more. */
const maxCompared = 100;

/** Warnings about a rule that was saved, alone and beside the enabled rules. Nothing here can fail a save. */
export async function savedWarnings(document: RuleDocument, deps: RulesDeps): Promise<RuleWarning[]> {
  const { rules, registry, telemetry } = deps;
  const record = recordOf(document);
  const [unknown, sending] = await Promise.all([unknownRecords([record], deps), sendingWarnings(record, deps)]);
  const own = [...ruleWarnings(record, registry), ...unknown.warnings, ...sending];
  if (!document.enabled) return own;
  try {
    const primaryActions = [...registry.primaryActions.keys()];
    const others = await rules.comparable(document, primaryActions, maxCompared);
    return [...own, ...conflictsOf(document._id, [...others, document].map(recordOf), registry)];
  } catch (error) {
    telemetry.deferred('warnings', document._id, error);
    return own;
  }
}

/** Enabled rules that the list of conflicts looks at, those that are read at a time, and warnings of one rule alone that it names. */
const maxRules = 10_000;
const readAtOnce = 500;
const maxWarnings = 500;

/** Of the enabled rules. `is_truncated` says that there are more rules, or may be more warnings, than were looked at. */
export async function listConflicts(deps: RulesDeps): Promise<RequestOutput<'rules.conflict.list.v1'>> {
  const { rules, registry } = deps;
  const records: RuleRecord[] = [];
  const own: RuleWarning[] = [];
  for (let more = true; more && records.length < maxRules; ) {
    const page = (await rules.activeAfter(records.at(-1)?.id ?? 0, readAtOnce)).map(recordOf);
    records.push(...page);
    own.push(...page.flatMap((record) => ruleWarnings(record, registry)));
    more = page.length === readAtOnce;
  }
  const isCut = records.length >= maxRules && (await rules.activeAfter(records.at(-1)?.id ?? 0, 1)).length > 0;
  const unknown = await unknownRecords(records, deps);
  const conflicts = await inTurns(ruleConflicts(records, registry));
  const alone = [...own, ...unknown.warnings];
  return {
    warnings: [...alone.slice(0, maxWarnings), ...conflicts.warnings],
    is_truncated: isCut || alone.length > maxWarnings || unknown.isTruncated || conflicts.isTruncated,
  };
}

/** Lets other requests have their turn at each pause of the search. */
async function inTurns(search: Generator<void, Conflicts>): Promise<Conflicts> {
  for (;;) {
    const step = search.next();
    if (step.done) return step.value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
