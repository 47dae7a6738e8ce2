import { z } from 'zod';

/** A component chosen in a rule (section 2.1 of the specification). Whether settings fit its schema is the engine's to say. */
export const componentChoiceSchema = z.object({
  id: z.string().min(1).max(100),
  settings: z.record(z.string(), z.unknown()),
});
export type ComponentChoice = z.infer<typeof componentChoiceSchema>;

/** Section 2.1 of the specification: every key is required. */
export const ruleDataSchema = z.object({
  trigger: componentChoiceSchema,
  conditions: z.array(componentChoiceSchema).max(100),
  primaryAction: componentChoiceSchema.nullable(),
  secondaryActions: z.array(componentChoiceSchema).max(100),
});
export type RuleData = z.infer<typeof ruleDataSchema>;

/** decisions.md section 3. Rules run by `position`, then `id`. */
export const ruleRecordSchema = z.object({
  id: z.int().positive(),
  name: z.string(),
  enabled: z.boolean(),
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
  }),
});
export type RuleRecord = z.infer<typeof ruleRecordSchema>;

/** Section 2.3 of the specification. */
export const saveResultSchema = z.object({
  success: z.boolean(),
  message: z.string(),
  rule_id: z.int(),
  audit_logged: z.boolean(),
});
export type SaveResult = z.infer<typeof saveResultSchema>;

/** Section 2.2 of the specification; `schema` on all four kinds (decisions.md section 4). */
export const componentDescriptorSchema = z.object({
  id: z.string(),
  label: z.string(),
  description: z.string(),
  schema: z.record(z.string(), z.unknown()),
  capability: z.enum(['default', 'extended']),
  accessible: z.boolean(),
  state: z.string().optional(),
  already_in_rule: z.boolean().optional(),
  is_default: z.boolean().optional(),
  priority: z.int().optional(),
});
export type ComponentDescriptor = z.infer<typeof componentDescriptorSchema>;

export const editionSchema = z.enum(['default', 'extended']);
export type Edition = z.infer<typeof editionSchema>;
