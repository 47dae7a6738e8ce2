import { z } from 'zod';
import { pageInput, paginationSchema } from '../audit-entry';
import { exchange, withoutInput } from '../exchange';
import {
  componentDescriptorSchema,
  editionSchema,
  ruleDataSchema,
  ruleRecordSchema,
  ruleWarningSchema,
  saveResultSchema,
  versionNameSchema,
} from '../rule';
import { occurrenceSchema } from '../verdict';
import { exportedRuleSchema, importResultSchema } from './rule-files';

/** Who asked, for the audit log. */
const actorSchema = z.object({
  user: z.string(),
  process_id: z.string(),
  /** What the caller calls its save, for example the button that was pressed. */
  action: z.string().nullable(),
  user_agent: z.string().nullable(),
  page_url: z.string().nullable(),
});
export type Actor = z.infer<typeof actorSchema>;
/** Of a change that makes a rule run: what its components may be, and who asked. */
const saver = { edition: editionSchema, actor: actorSchema };

/** Any subset of what can be changed on a rule. The rule data is checked by the rules service, which lists every violation. */
export const ruleChangesSchema = z.object({
  name: z.string().min(1).max(200).optional(),
  /** Ends shadow, unless that is said. */
  enabled: z.boolean().optional(),
  /** True disables the rule. */
  shadow: z.boolean().optional(),
  /** Of a rule that is on or in shadow: on in that mode (decisions.md section 12). */
  mode: ruleRecordSchema.shape.mode,
  position: z.int().min(0).max(1_000_000).optional(),
  stop_processing: z.boolean().optional(),
  rule: z.unknown().optional(),
});
export type RuleChanges = z.infer<typeof ruleChangesSchema>;

const saved = saveResultSchema.extend({ record: ruleRecordSchema });

/** A rule as one save left it. */
const ruleVersionSchema = ruleRecordSchema
  .pick({ version: true, name: true, enabled: true, shadow: true, position: true, stop_processing: true, rule: true })
  .extend({ saved_at: z.iso.datetime(), saved_by: z.string() });
export type RuleVersion = z.infer<typeof ruleVersionSchema>;

/** What differs between two states of a rule: a key is there only when something does. `summary` says it in words. */
const ruleDifferenceSchema = z.object({ changes: z.record(z.string(), z.unknown()), summary: z.string() });

/** A rule that is ready to be made; `accessible` where the installation may use all its components. */
const ruleTemplateSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  capability: editionSchema,
  accessible: z.boolean(),
  rule: ruleDataSchema,
});
export type RuleTemplate = z.infer<typeof ruleTemplateSchema>;

/** How often several rules changed together: only what is of one generation fits together. */
const generation = z.int().optional();

/** Rules in one answer. */
const maxRulesOfPage = 1_000;

export const rulesEvents = {
  /** Rules changed: caches by trigger read them again. `revision` grows with every change. */
  'rules.changed.v1': z.object({
    rule_id: z.int(),
    revision: z.int(),
    change: z.enum(['created', 'updated', 'deleted']),
  }),
} as const;

export const rulesRequests = {
  'rules.component.list.v1': exchange(
    { rule_id: z.int().nullable(), edition: editionSchema },
    {
      triggers: z.array(componentDescriptorSchema),
      conditions: z.array(componentDescriptorSchema),
      primaryActions: z.array(componentDescriptorSchema),
      secondaryActions: z.array(componentDescriptorSchema),
    },
  ),
  'rules.rule.get.v1': exchange({ id: z.int() }, { record: ruleRecordSchema }),
  'rules.rule.list.v1': exchange(
    {
      enabled: z.boolean().optional(),
      trigger: z.string().optional(),
      search: z.string().optional(),
      /** Rules that were deleted within the last 90 days, instead of those that are there. */
      deleted: z.boolean().optional(),
      ...pageInput,
    },
    { rules: z.array(ruleRecordSchema), pagination: paginationSchema },
  ),
  'rules.rule.create.v1': exchange(
    {
      changes: ruleChangesSchema,
      /** Id of the template that stands in for a name and rule data that are not given. */
      template: z.string().max(100).optional(),
      ...saver,
    },
    saved,
  ),
  /** `if_match` is the version the caller saw (decisions.md section 3); another one now is 412 `svc_version_conflict`. */
  'rules.rule.save.v1': exchange(
    {
      id: z.int(),
      changes: ruleChangesSchema,
      /** Where the rule data stand in the caller's body, for the paths of violations; `rule` when nothing is said. */
      rule_path: z.string().max(100).optional(),
      if_match: z.int().nullable(),
      ...saver,
    },
    saved,
  ),
  'rules.rule.delete.v1': exchange({ id: z.int(), if_match: z.int().nullable(), actor: actorSchema }, saveResultSchema),
  'rules.rule.versions.v1': exchange(
    { id: z.int(), ...pageInput },
    { versions: z.array(ruleVersionSchema), pagination: paginationSchema },
  ),
  'rules.rule.diff.v1': exchange(
    { id: z.int(), from: z.int(), to: z.int() },
    ruleDifferenceSchema.extend({ from: ruleVersionSchema, to: ruleVersionSchema }),
  ),
  /** Name, rule data and `stop_processing` of that version, as a new version. A rule that was deleted comes back disabled; without a version as it was. */
  'rules.rule.restore.v1': exchange(
    { id: z.int(), version: z.int().optional(), if_match: z.int().nullable(), ...saver },
    saved,
  ),
  /** A disabled copy after the last rule. */
  'rules.rule.duplicate.v1': exchange({ id: z.int(), name: z.string().min(1).max(200).optional(), ...saver }, saved),
  /** The rules change places among themselves; others stay where they are. */
  'rules.reorder.v1': exchange(
    { ids: z.array(z.int()).min(1).max(maxRulesOfPage), actor: actorSchema },
    { success: z.boolean(), message: z.string(), order: z.array(z.object({ id: z.int(), position: z.int() })) },
  ),
  /** Warnings about each enabled rule, and conflicts among them. `is_truncated`: there may be more than these. */
  'rules.conflict.list.v1': withoutInput({
    warnings: z.array(ruleWarningSchema),
    is_truncated: z.boolean().optional(),
  }),
  'rules.template.list.v1': exchange({ edition: editionSchema }, { templates: z.array(ruleTemplateSchema) }),
  /** A page of all rules as they stand in files, by id; `next` is the id to go on after, null at the end. */
  'rules.export.v1': exchange({ after: z.int() }, { rules: z.array(exportedRuleSchema), next: z.int().nullable() }),
  /** Makes the rules what the file says: rules that are not in it are deleted. A preview changes nothing. */
  'rules.import.v1': exchange({ file: z.unknown(), mode: z.enum(['preview', 'apply']), ...saver }, importResultSchema),
  /**
   * A page of the rules that are enabled or in shadow by id, each with its version, so that a cache asks for those that it does not have. Nothing at all where `since` is the
   * revision still. `next` is the id to go on after, null at the end.
   */
  'rules.active-versions.v1': exchange(
    { since: z.int(), after: z.int() },
    { revision: z.int(), generation, versions: z.array(versionNameSchema), next: z.int().nullable() },
  ),
  /** As many of the rules, in the order of the ids, as fit into one answer: at least one, unless none is there any more. */
  'rules.records.v1': exchange(
    { ids: z.array(z.int()).min(1).max(maxRulesOfPage) },
    { generation, rules: z.array(ruleRecordSchema), missing: z.array(z.int()) },
  ),
  /** Disabled rules whose trigger listens to events of this kind: the first of them in order of running, and how many there are. */
  'rules.disabled-listeners.v1': exchange(occurrenceSchema.pick({ type: true, event_type: true, gateway: true }), {
    rules: z.array(z.object({ id: z.int(), name: z.string() })),
    total: z.int(),
  }),
  /** Rules as they were in these versions, also rules that are deleted now; statistics are not part of a version. As many as fit, like `rules.records.v1`. */
  'rules.version.get.v1': exchange(
    { versions: z.array(versionNameSchema).min(1).max(maxRulesOfPage) },
    { rules: z.array(ruleRecordSchema), missing: z.array(versionNameSchema) },
  ),
} as const;
