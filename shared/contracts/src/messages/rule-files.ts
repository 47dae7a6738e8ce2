import { z } from 'zod';
import { ruleWarningSchema } from '../rule';

/** A rule in a file. `key` is its stable name there. */
export const exportedRuleSchema = z.object({
  key: z.string().regex(/^[a-z0-9][a-z0-9-]{0,99}$/, 'must be lower-case letters, digits and hyphens'),
  name: z.string().min(1).max(200),
  enabled: z.boolean().default(false),
  shadow: z.boolean().optional(),
  position: z.int().min(0).max(1_000_000).optional(),
  stop_processing: z.boolean().default(false),
  rule: z.unknown(),
});
export type ExportedRule = z.infer<typeof exportedRuleSchema>;

/** Rules in one file. */
const maxRulesOfImport = 2_000;
export const ruleFileSchema = z.strictObject({
  version: z.literal(1),
  rules: z.array(z.strictObject(exportedRuleSchema.shape)).max(maxRulesOfImport),
});

/** A rule that an import makes, changes, leaves or deletes; `summary` says what changes. `id` is null of one that is not there yet. */
const importedRuleSchema = z.object({
  key: z.string(),
  name: z.string(),
  id: z.int().nullable(),
  summary: z.string().optional(),
});
export type ImportedRule = z.infer<typeof importedRuleSchema>;
export const importResultSchema = z.object({
  create: z.array(importedRuleSchema),
  change: z.array(importedRuleSchema),
  unchanged: z.array(importedRuleSchema),
  delete: z.array(importedRuleSchema),
  /** Those of `change` and `delete` that somebody saved while the import ran: they are as that save made them. */
  conflicts: z.array(importedRuleSchema).optional(),
  /** About names in created and changed rules that the shop does not have. */
  warnings: z.array(ruleWarningSchema.omit({ rule_ids: true })).optional(),
});
export type ImportResult = z.infer<typeof importResultSchema>;
