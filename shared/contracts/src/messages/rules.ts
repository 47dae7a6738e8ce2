import { z } from 'zod';
import { paginationSchema } from '../audit-entry';
import { componentDescriptorSchema, editionSchema, ruleDataSchema, ruleRecordSchema, saveResultSchema } from '../rule';

/** Who asked, for the audit log. */
export const actorSchema = z.object({
  user: z.string(),
  process_id: z.string(),
  /** What the caller calls its save, for example the button that was pressed. */
  action: z.string().nullable(),
  user_agent: z.string().nullable(),
  page_url: z.string().nullable(),
});
export type Actor = z.infer<typeof actorSchema>;

/** Any subset of what can be changed on a rule. The rule data is checked by the rules service, which lists every violation. */
export const ruleChangesSchema = z.object({
  name: z.string().min(1).max(200).optional(),
  enabled: z.boolean().optional(),
  position: z.int().min(0).max(1_000_000).optional(),
  stop_processing: z.boolean().optional(),
  rule: z.unknown().optional(),
});
export type RuleChanges = z.infer<typeof ruleChangesSchema>;

const saved = saveResultSchema.extend({ record: ruleRecordSchema });

export const rulesEvents = {
  /** Enabled rules changed: caches by trigger read them again. `revision` grows with every change. */
  'rules.changed.v1': z.object({
    rule_id: z.int(),
    revision: z.int(),
    change: z.enum(['created', 'updated', 'deleted']),
  }),
} as const;

export const rulesRequests = {
  'rules.component.list.v1': {
    input: z.object({ rule_id: z.int().nullable(), edition: editionSchema }),
    output: z.object({
      triggers: z.array(componentDescriptorSchema),
      conditions: z.array(componentDescriptorSchema),
      primaryActions: z.array(componentDescriptorSchema),
      secondaryActions: z.array(componentDescriptorSchema),
    }),
  },
  'rules.rule.get.v1': { input: z.object({ id: z.int() }), output: z.object({ record: ruleRecordSchema }) },
  'rules.rule.list.v1': {
    input: z.object({
      enabled: z.boolean().optional(),
      trigger: z.string().optional(),
      search: z.string().optional(),
      page: z.int().min(1),
      per_page: z.int().min(1).max(200),
    }),
    output: z.object({ rules: z.array(ruleRecordSchema), pagination: paginationSchema }),
  },
  'rules.rule.create.v1': {
    input: z.object({
      changes: ruleChangesSchema.required({ name: true, rule: true }),
      edition: editionSchema,
      actor: actorSchema,
    }),
    output: saved,
  },
  /** `if_match` is the version the caller saw (decisions.md section 3); another one now is 412 `svc_version_conflict`. */
  'rules.rule.save.v1': {
    input: z.object({
      id: z.int(),
      changes: ruleChangesSchema,
      if_match: z.int().nullable(),
      edition: editionSchema,
      actor: actorSchema,
    }),
    output: saved,
  },
  'rules.rule.delete.v1': {
    input: z.object({ id: z.int(), if_match: z.int().nullable(), actor: actorSchema }),
    output: saveResultSchema,
  },
  /** Every enabled rule in order of running. */
  'rules.active.v1': {
    input: z.object({}),
    output: z.object({ revision: z.int(), rules: z.array(ruleRecordSchema) }),
  },
} as const;

export { ruleDataSchema };
