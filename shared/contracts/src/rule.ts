import { z } from 'zod';
import warnings from './rule-warnings.json';

/** A component chosen in a rule (section 2.1 of the specification). Whether settings fit its schema is the engine's to say. */
export const componentChoiceSchema = z.object({
  id: z.string().min(1).max(100),
  settings: z.record(z.string(), z.unknown()),
});
export type ComponentChoice = z.infer<typeof componentChoiceSchema>;

/** Most conditions of a rule, and most secondary actions. */
export const maxChoices = 100;

/** Section 2.1 of the specification: every key is required. */
const ruleDataOf = <Choice extends z.ZodType>(choice: Choice) => ({
  trigger: choice,
  conditions: z.array(choice).max(maxChoices),
  primaryAction: choice.nullable(),
  secondaryActions: z.array(choice).max(maxChoices),
});

export const ruleDataSchema = z.object(ruleDataOf(componentChoiceSchema));
export type RuleData = z.infer<typeof ruleDataSchema>;

export const strictChoiceSchema = z.strictObject(componentChoiceSchema.shape);

/** Rule data as somebody writes it: without fields that we do not know. */
export const writtenRuleDataSchema = z.strictObject(ruleDataOf(strictChoiceSchema));

/** decisions.md section 3. Rules run by `position`, then `id`. */
export const ruleRecordSchema = z.object({
  id: z.int().positive(),
  name: z.string(),
  enabled: z.boolean(),
  /** Decided on live events, with nothing done; absent: false. Never of an enabled rule. */
  shadow: z.boolean().optional(),
  mode: z.enum(['live', 'shadow']).optional(),
  position: z.int(),
  stop_processing: z.boolean(),
  version: z.int().positive(),
  rule: ruleDataSchema,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  updated_by: z.string(),
  stats: z.object({
    run_count: z.int(),
    match_count: z.int(),
    last_fired_at: z.iso.datetime().nullable(),
    /** How often each condition, by its component id, was the first that did not pass. */
    failed: z.record(z.string(), z.int()).optional(),
  }),
  /** Of a rule that was deleted and can be restored. */
  deleted_at: z.iso.datetime().optional(),
});
export type RuleRecord = z.infer<typeof ruleRecordSchema>;

/** One version of a rule. */
export const versionNameSchema = z.object({ id: z.int(), version: z.int() });
export type RuleVersionName = z.infer<typeof versionNameSchema>;

/** Something odd about rules, which stops nothing: the first of `rule_ids` is the one it is about. `message` is a sentence. */
export const ruleWarningSchema = z.object({
  code: z.enum(Object.keys(warnings) as (keyof typeof warnings)[]),
  rule_ids: z.array(z.int()).min(1),
  message: z.string(),
});
export type RuleWarning = z.infer<typeof ruleWarningSchema>;

/** Section 2.3 of the specification, with warnings about the rule, where there are any. */
export const saveResultSchema = z.object({
  success: z.boolean(),
  message: z.string(),
  rule_id: z.int(),
  audit_logged: z.boolean(),
  warnings: z.array(ruleWarningSchema).optional(),
});
export type SaveResult = z.infer<typeof saveResultSchema>;

export const editionSchema = z.enum(['default', 'extended']);
export type Edition = z.infer<typeof editionSchema>;

/** Section 2.2 of the specification; `schema` on all four kinds (decisions.md section 4). */
export const componentDescriptorSchema = z.object({
  id: z.string(),
  label: z.string(),
  description: z.string(),
  schema: z.record(z.string(), z.unknown()),
  capability: editionSchema,
  accessible: z.boolean(),
  /** The file or package of EXTENSIONS that registered it; absent of the built-in ones. */
  extension: z.string().optional(),
  state: z.string().optional(),
  already_in_rule: z.boolean().optional(),
  is_default: z.boolean().optional(),
  priority: z.int().optional(),
});
export type ComponentDescriptor = z.infer<typeof componentDescriptorSchema>;
