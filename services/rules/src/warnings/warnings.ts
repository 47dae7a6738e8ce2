import type { RequestOutput, RuleRecord, RuleWarning } from '@order-automation/contracts';
import { ruleConflicts } from '../conflicts/conflicts';
import { ruleWarnings } from '../conflicts/rule-warnings';
import type { RulesDeps } from '../deps';
import { recordOf } from '../documents/rule-documents';
import { sendingWarnings } from './sending-warnings';
import { unknownRecords, unknownToIntake } from './unknown-names';

/** Enabled rules that the list of conflicts looks at: every pair of them. Warnings of each kind that it names. */
const maxRules = 500;
export const maxWarnings = 500;

/** Warnings about a rule that was saved, alone and beside the enabled rules. Nothing here can fail a save. */
export async function savedWarnings(record: RuleRecord, deps: RulesDeps): Promise<RuleWarning[]> {
  const { rules, registry, telemetry } = deps;
  const [unknown, events, sending] = await Promise.all([
    unknownRecords([record], deps),
    unknownToIntake(record, deps),
    sendingWarnings(record, deps),
  ]);
  const own = [...ruleWarnings(record, registry), ...unknown.warnings, ...events, ...sending];
  if (!record.enabled) return own;
  try {
    const others = (await rules.active(maxRules)).filter(({ _id }) => _id !== record.id).map(recordOf);
    const about = { limit: maxWarnings, about: record.id };
    return [...own, ...ruleConflicts([...others, record], registry, about).warnings];
  } catch (error) {
    telemetry.deferred('warnings', record.id, error);
    return own;
  }
}

/** Of the enabled rules. `is_truncated` says that there are more rules, or may be more warnings, than were looked at. */
export async function listConflicts(deps: RulesDeps): Promise<RequestOutput<'rules.conflict.list.v1'>> {
  const { rules, registry } = deps;
  const found = (await rules.active(maxRules + 1)).map(recordOf);
  const records = found.slice(0, maxRules);
  const unknown = await unknownRecords(records, deps);
  const conflicts = ruleConflicts(records, registry, { limit: maxWarnings });
  const alone = [...records.flatMap((record) => ruleWarnings(record, registry)), ...unknown.warnings];
  return {
    warnings: [...alone.slice(0, maxWarnings), ...conflicts.warnings],
    is_truncated: found.length > maxRules || alone.length > maxWarnings || unknown.isTruncated || conflicts.isTruncated,
  };
}
