import type { RequestOutput, RuleWarning } from '@order-automation/contracts';
import { conflictsOf, ruleConflicts } from './conflicts/conflicts';
import { ruleWarnings } from './conflicts/rule-warnings';
import type { RulesDeps } from './deps';
import { type RuleDocument, recordOf } from './rule-documents';
import { sendingWarnings } from './sending-warnings';
import { unknownEvents } from './unknown-events';
import { unknownRecords } from './unknown-records';

/** Rules of each kind that a saved one is compared with; the list of conflicts compares more. */
const maxCompared = 100;

/** Warnings about a rule that was saved, alone and beside the enabled rules. Nothing here can fail a save. */
export async function savedWarnings(document: RuleDocument, deps: RulesDeps): Promise<RuleWarning[]> {
  const { rules, registry, telemetry } = deps;
  const record = recordOf(document);
  const [unknown, events, sending] = await Promise.all([
    unknownRecords([record], deps),
    unknownEvents(record, deps),
    sendingWarnings(record, deps),
  ]);
  const own = [...ruleWarnings(record, registry), ...unknown.warnings, ...events, ...sending];
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

/** Enabled rules that the list of conflicts looks at: every pair of them. Warnings of each kind that it names. */
const maxRules = 500;
const maxWarnings = 500;

/** Of the enabled rules. `is_truncated` says that there are more rules, or may be more warnings, than were looked at. */
export async function listConflicts(deps: RulesDeps): Promise<RequestOutput<'rules.conflict.list.v1'>> {
  const { rules, registry } = deps;
  const found = (await rules.activeAfter(0, maxRules + 1)).map(recordOf);
  const records = found.slice(0, maxRules);
  const own = records.flatMap((record) => ruleWarnings(record, registry));
  const unknown = await unknownRecords(records, deps);
  const conflicts = ruleConflicts(records, registry, maxWarnings);
  const alone = [...own, ...unknown.warnings];
  return {
    warnings: [...alone.slice(0, maxWarnings), ...conflicts.warnings],
    is_truncated: found.length > maxRules || alone.length > maxWarnings || unknown.isTruncated || conflicts.isTruncated,
  };
}
