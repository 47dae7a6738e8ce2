import { check, ruleDataSchema, saveResultSchema } from '@order-automation/contracts';
import { z } from 'zod';
import type { Call, KnownCall } from '../../http/call';
import { actorOf, type Edge, type SaveNote } from '../../http/edge';
import { idParameter, jsonObject, uncheckedRule } from '../../http/parameters';
import { route, seconds } from '../../http/route';
import { requiredVersion, versionTag } from '../../http/version-tag';

const wrappedBody = z.strictObject({
  rule: uncheckedRule,
  audit: z
    .strictObject({
      action: z.string().max(200).optional(),
      user_context: z
        .strictObject({ user_agent: z.string().max(2000).optional(), page_url: z.string().max(2000).optional() })
        .optional(),
    })
    .nullish(),
});

/** `path`: where the rule data stand in the body, for violations. */
export type RuleSave = { readonly rule: unknown; readonly path: string; readonly note: SaveNote };

/** `{rule, audit?}`, or the bare rule data (decisions.md section 2). The rules service says what is wrong with the rule itself. */
export const ruleSaveBody = jsonObject
  .transform((object, context): RuleSave => {
    if (!Object.hasOwn(object, 'rule')) return { rule: object, path: '', note: {} };
    const wrapped = check(wrappedBody, object);
    if (wrapped.ok) {
      const { action, user_context } = wrapped.value.audit ?? {};
      return { rule: wrapped.value.rule, path: 'rule', note: { action, ...user_context } };
    }
    for (const { path, message } of wrapped.violations)
      context.addIssue({ code: 'custom', path: path.split('.'), message });
    return z.NEVER;
  })
  .meta({ $ref: '#/components/schemas/RuleSave' });

export const ruleSaveForms = z.union([wrappedBody, ruleDataSchema]);

const one = { tag: 'Rules', access: { needs: 'manage_shop' }, params: idParameter } as const;

/** Longer than a save tries beside others, and than a slow store takes: its answer says whether the rule was saved. */
export const saving = { timeout: seconds(20) } as const;

const save = {
  ...saving,
  etag: true,
  ifMatch: true,
  body: ruleSaveBody,
  answers: { 200: saveResultSchema },
  errors: [
    'svc_rule_not_found',
    'svc_unknown_component',
    'svc_validation_failed',
    'svc_rule_not_tested',
    'svc_version_conflict',
  ],
  handle: saveRuleData,
} as const;

/** Section 4.1 of the specification: the four keys of rule data under `/rule/{id}`. */
export const ruleDataRoutes = [
  route('GET /v1/rule/{id}', 'Read the data of a rule', {
    ...one,
    etag: true,
    answers: { 200: ruleDataSchema },
    errors: ['svc_rule_not_found'],
    handle: async ({ params, ask }) => {
      const { record } = await ask('rules.rule.get.v1', params);
      return { body: record.rule, headers: { ETag: versionTag(record.version) } };
    },
  }),
  route('PUT /v1/rule/{id}', 'Save the data of a rule', { ...one, ...save }),
  route('POST /v1/rule/{id}', 'Save the data of a rule (as PUT)', { ...one, ...save }),
] as const;

/** Answers section 2.3 of the specification, with the new version as ETag. */
async function saveRuleData(call: Call<{ id: number }, unknown, RuleSave, KnownCall['identity']>, edge: Edge) {
  const { record, ...result } = await call.ask('rules.rule.save.v1', {
    id: call.params.id,
    changes: { rule: call.body.rule },
    rule_path: call.body.path,
    if_match: await requiredVersion(call, call.params.id),
    edition: edge.edition,
    actor: actorOf(call, edge, call.body.note),
  });
  return { body: result, headers: { ETag: versionTag(record.version) } };
}
