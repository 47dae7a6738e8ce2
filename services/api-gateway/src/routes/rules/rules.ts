import {
  missingParameters,
  ruleChangesSchema,
  ruleRecordSchema,
  rulesRequests,
  saveResultSchema,
} from '@order-automation/contracts';
import { z } from 'zod';
import type { Call, KnownCall } from '../../http/call';
import { actorOf, type Edge } from '../../http/edge';
import { booleanText, checkedBehind, idParameter, page, perPage, present, shortText } from '../../http/parameters';
import { reply, route } from '../../http/route';
import { requiredVersion, versionTag } from '../../http/version-tag';
import { exampleRule } from './example-rule';

const all = { tag: 'Rules', access: { needs: 'manage_shop' } } as const;
const one = { ...all, params: idParameter } as const;
const invalidRule = ['svc_unknown_component', 'svc_validation_failed'] as const;

const changes = z.strictObject({ ...ruleChangesSchema.shape, rule: checkedBehind('RuleData').optional() });
const creation = changes.extend({
  enabled: z.boolean().default(false),
  stop_processing: z.boolean().default(false),
  template: z.string().max(100).optional(),
});
const savedRule = saveResultSchema.extend({ rule: ruleRecordSchema });

const change = {
  etag: true,
  ifMatch: true,
  description: 'Any subset of the fields. `If-Match` with the ETag that was read refuses to overwrite a newer version.',
  body: changes,
  answers: { 200: savedRule },
  errors: ['svc_rule_not_found', ...invalidRule, 'svc_licence_required', 'svc_rule_not_tested', 'svc_version_conflict'],
  example: { params: { id: 1 }, body: { enabled: true } },
  handle: changeRule,
} as const;

/** decisions.md section 3: rule records under `/rules`. */
export const rulesRoutes = [
  route('GET /v1/rules', 'List rules', {
    ...all,
    description:
      'With `deleted=true` those that were deleted within 90 days, the last one first: `POST /v1/rules/{id}/restore` brings one back.',
    query: z.object({
      enabled: booleanText.optional(),
      trigger: shortText.optional(),
      search: shortText.optional(),
      deleted: booleanText.optional(),
      page,
      per_page: perPage,
    }),
    answers: { 200: rulesRequests['rules.rule.list.v1'].output },
    handle: async ({ query: { page, per_page, ...filters }, ask }) => ({
      body: await ask('rules.rule.list.v1', { page, per_page, ...present(filters) }),
    }),
  }),
  route('POST /v1/rules', 'Create a rule', {
    ...all,
    etag: true,
    description:
      'A new rule is disabled unless `enabled` says otherwise: only enabled rules run. `template` stands in for a name and rule data that are not given.',
    body: creation,
    answers: { 201: savedRule },
    errors: [...invalidRule, 'svc_licence_required', 'svc_rule_not_tested'],
    example: { body: { name: 'Complete paid orders over 50', enabled: true, rule: exampleRule } },
    handle: async (call, edge) => {
      const { template, ...fields } = call.body;
      // Where a rule is given, the rules service says all that is wrong.
      if (template === undefined && fields.rule === undefined)
        throw missingParameters(...(fields.name === undefined ? ['name', 'rule'] : ['rule']));
      const { record, ...result } = await call.ask('rules.rule.create.v1', {
        changes: present(fields),
        ...present({ template }),
        edition: edge.edition,
        actor: actorOf(call, edge),
      });
      const headers = { ETag: versionTag(record.version), Location: `${edge.basePath}/v1/rules/${record.id}` };
      return reply(201, { ...result, rule: record }, headers);
    },
  }),
  route('GET /v1/rules/{id}', 'Read a rule', {
    ...one,
    etag: 'version',
    answers: { 200: ruleRecordSchema },
    errors: ['svc_rule_not_found'],
    example: { params: { id: 1 } },
    handle: async ({ params, ask }) => {
      const { record } = await ask('rules.rule.get.v1', params);
      return { body: record, headers: { ETag: versionTag(record.version) } };
    },
  }),
  route('PUT /v1/rules/{id}', 'Change a rule', { ...one, ...change }),
  route('PATCH /v1/rules/{id}', 'Change a rule (as PUT)', { ...one, ...change }),
  route('DELETE /v1/rules/{id}', 'Delete a rule', {
    ...one,
    description: 'For 90 days it can be restored: `GET /v1/rules?deleted=true` lists it.',
    ifMatch: true,
    answers: { 200: saveResultSchema },
    errors: ['svc_rule_not_found', 'svc_version_conflict'],
    example: { params: { id: 1 } },
    handle: async (call, edge) => ({
      body: await call.ask('rules.rule.delete.v1', {
        id: call.params.id,
        if_match: await requiredVersion(call, call.params.id),
        actor: actorOf(call, edge),
      }),
    }),
  }),
] as const;

type ChangeCall = Call<{ id: number }, unknown, z.output<typeof changes>, KnownCall['identity']>;

async function changeRule(call: ChangeCall, edge: Edge) {
  const changed = present(call.body);
  if (Object.keys(changed).length === 0) throw missingParameters('name, enabled, position, stop_processing or rule');
  const { record, ...result } = await call.ask('rules.rule.save.v1', {
    id: call.params.id,
    changes: changed,
    if_match: await requiredVersion(call, call.params.id),
    edition: edge.edition,
    actor: actorOf(call, edge),
  });
  return { body: { ...result, rule: record }, headers: { ETag: versionTag(record.version) } };
}
