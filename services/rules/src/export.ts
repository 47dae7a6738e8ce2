import type { Answer, ExportedRule } from '@order-automation/contracts';
import type { RulesDeps } from './deps';
import type { RuleDocument } from './rule-documents';

/** Rules in one page of an export: well within an answer, also where they are large. */
const exportPage = 20;

export const exportRules: Answer<'rules.export.v1', Pick<RulesDeps, 'rules'>> = async ({ after }, { rules }) => {
  const page = await rules.after(after, exportPage);
  const next = page.length === exportPage ? (page.at(-1)?._id ?? null) : null;
  return { rules: page.map(exported), next };
};

function exported({ key, name, enabled, position, stop_processing, rule }: RuleDocument): ExportedRule {
  return { key, name, enabled, position, stop_processing, rule };
}
