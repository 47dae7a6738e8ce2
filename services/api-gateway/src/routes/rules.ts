import { ruleChangesSchema, ruleRecordSchema, rulesRequests, saveResultSchema } from '@order-automation/contracts';
import { z } from 'zod';
import { actorOf } from './edge';
import { exampleRule } from './example-rule';
import { booleanText, checkedBehind, idParameter, page, perPage, present, shortText } from './parameters';
import { reply, route } from './route';
import { missing } from './validate';
import { requiredVersion, versionTag } from './version-tag';

const all = { path: '/v1/rules', tag: 'Rules', access: { needs: 'manage_shop' } } as const;
const one = { ...all, path: '/v1/rules/{id}', params: idParameter } as const;
const invalidRule = ['svc_unknown_component', 'svc_validation_failed'] as const;

const changes = z.strictObject({ ...ruleChangesSchema.shape, rule: checkedBehind('RuleData').optional() });
const creation = changes.extend({
  name: ruleChangesSchema.shape.name.unwrap(),
  enabled: z.boolean().default(false),
  stop_processing: z.boolean().default(false),
  rule: checkedBehind('RuleData'),
});
const savedRule = saveResultSchema.extend({ rule: ruleRecordSchema });

/** decisions.md section 3: rule records under `/rules`. */
export const rulesRoutes = [
  route({
    ...all,
    method: 'GET',
    summary: 'List rules',
    query: z.object({
      enabled: booleanText.optional(),
      trigger: shortText.optional(),
      search: shortText.optional(),
      page,
      per_page: perPage,
    }),
    answers: { 200: rulesRequests['rules.rule.list.v1'].output },
    handle: async ({ query: { page, per_page, ...filters }, ask }) => ({
      body: await ask('rules.rule.list.v1', { page, per_page, ...present(filters) }),
    }),
  }),
  route({
    ...all,
    method: 'POST',
    summary: 'Create a rule',
    etag: true,
    description: 'A new rule is disabled unless `enabled` says otherwise: only enabled rules run.',
    body: creation,
    answers: { 201: savedRule },
    errors: invalidRule,
    example: { body: { name: 'Complete paid orders over 50', enabled: true, rule: exampleRule } },
    handle: async (call, edge) => {
      const { name, rule, ...others } = call.body;
      const { record, ...result } = await call.ask('rules.rule.create.v1', {
        changes: { name, rule, ...present(others) },
        edition: edge.edition,
        actor: actorOf(call, edge),
      });
      const headers = { ETag: versionTag(record.version), Location: `${edge.basePath}/v1/rules/${record.id}` };
      return reply(201, { ...result, rule: record }, headers);
    },
  }),
  route({
    ...one,
    method: 'GET',
    summary: 'Read a rule',
    etag: true,
    answers: { 200: ruleRecordSchema },
    errors: ['svc_rule_not_found'],
    example: { params: { id: 1 } },
    handle: async ({ params, ask }) => {
      const { record } = await ask('rules.rule.get.v1', params);
      return { body: record, headers: { ETag: versionTag(record.version) } };
    },
  }),
  route({
    ...one,
    method: 'PUT',
    summary: 'Change a rule',
    etag: true,
    ifMatch: true,
    description:
      'Any subset of the fields. `If-Match` with the ETag that was read refuses to overwrite a newer version.',
    body: changes,
    answers: { 200: savedRule },
    errors: ['svc_rule_not_found', ...invalidRule, 'svc_version_conflict'],
    example: { params: { id: 1 }, body: { enabled: true } },
    handle: async (call, edge) => {
      const changes = present(call.body);
      if (Object.keys(changes).length === 0) throw missing(['name, enabled, position, stop_processing or rule']);
      const { record, ...result } = await call.ask('rules.rule.save.v1', {
        id: call.params.id,
        changes,
        if_match: requiredVersion(call.header('if-match')),
        edition: edge.edition,
        actor: actorOf(call, edge),
      });
      return { body: { ...result, rule: record }, headers: { ETag: versionTag(record.version) } };
    },
  }),
  route({
    ...one,
    method: 'DELETE',
    summary: 'Delete a rule',
    ifMatch: true,
    answers: { 200: saveResultSchema },
    errors: ['svc_rule_not_found', 'svc_version_conflict'],
    example: { params: { id: 1 } },
    handle: async (call, edge) => ({
      body: await call.ask('rules.rule.delete.v1', {
        id: call.params.id,
        if_match: requiredVersion(call.header('if-match')),
        actor: actorOf(call, edge),
      }),
    }),
  }),
] as const;
