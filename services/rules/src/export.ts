import type { ExportedRule, RequestInput, RequestOutput } from '@order-automation/contracts';
import type { RulesDeps } from './deps';
import type { RuleDocument } from './rule-documents';

/** Rules in one page of an export: well within an answer, also where they are large. */
const exportPage = 20;

export async function exportRules(
  { after }: RequestInput<'rules.export.v1'>,
  { rules }: Pick<RulesDeps, 'rules'>,
): Promise<RequestOutput<'rules.export.v1'>> {
  const page = await rules.after(after, exportPage);
  const next = page.length === exportPage ? (page.at(-1)?._id ?? null) : null;
  return { rules: page.map(exported), next };
}

function exported({ key, name, enabled, position, stop_processing, rule }: RuleDocument): ExportedRule {
  return { key, name, enabled, position, stop_processing, rule };
}
