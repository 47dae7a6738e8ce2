import { ruleRecordSchema, rulesRequests, saveResultSchema } from '@order-automation/contracts';
import { z } from 'zod';
import { actorOf } from '../../http/edge';
import { idParameter, page, perPage, present, wholeNumberText } from '../../http/parameters';
import { reply, route } from '../../http/route';
import { requiredVersion, versionTag } from '../../http/version-tag';

const one = { tag: 'Rules', access: { needs: 'manage_shop' }, params: idParameter } as const;
const savedRule = saveResultSchema.extend({ rule: ruleRecordSchema });
const version = wholeNumberText(1, 1_000_000_000);
const notFound = ['svc_rule_not_found', 'svc_rule_version_not_found'] as const;
const invalidRule = ['svc_unknown_component', 'svc_validation_failed', 'svc_licence_required'] as const;

/** What a rule was before, and copies of it (decisions.md section 3). */
export const ruleHistoryRoutes = [
  route('GET /v1/rules/{id}/versions', 'List the versions of a rule', {
    ...one,
    description: 'Every save made one; the newest comes first.',
    query: z.object({ page, per_page: perPage }),
    answers: { 200: rulesRequests['rules.rule.versions.v1'].output },
    errors: ['svc_rule_not_found'],
    example: { params: { id: 1 } },
    handle: async ({ params, query, ask }) => ({ body: await ask('rules.rule.versions.v1', { ...params, ...query }) }),
  }),
  route('GET /v1/rules/{id}/diff', 'Compare two versions of a rule', {
    ...one,
    query: z.object({ from: version, to: version }),
    answers: { 200: rulesRequests['rules.rule.diff.v1'].output },
    errors: notFound,
    example: { params: { id: 1 }, query: { from: 1, to: 1 } },
    handle: async ({ params, query, ask }) => ({ body: await ask('rules.rule.diff.v1', { ...params, ...query }) }),
  }),
  route('POST /v1/rules/{id}/restore', 'Restore a version of a rule, or a deleted rule', {
    ...one,
    etag: true,
    ifMatch: true,
    description:
      'Makes a new version with the name, the rule data and `stop_processing` of the old one. Whether the rule is enabled, and its position, stay. A rule that was deleted within 90 days comes back, disabled; without `version` as it was.',
    body: z.strictObject({ version: z.int().min(1).optional() }),
    answers: { 200: savedRule },
    errors: [...notFound, ...invalidRule, 'rest_missing_callback_param', 'svc_rule_not_tested', 'svc_version_conflict'],
    example: { params: { id: 1 }, body: { version: 1 } },
    handle: async (call, edge) => {
      const { record, ...result } = await call.ask('rules.rule.restore.v1', {
        id: call.params.id,
        ...present(call.body),
        if_match: await requiredVersion(call, call.params.id),
        edition: edge.edition,
        actor: actorOf(call, edge),
      });
      return { body: { ...result, rule: record }, headers: { ETag: versionTag(record.version) } };
    },
  }),
  route('POST /v1/rules/{id}/duplicate', 'Duplicate a rule', {
    ...one,
    etag: true,
    description: 'The copy is disabled and runs after the last rule.',
    body: z.strictObject({ name: z.string().min(1).max(200).optional() }),
    answers: { 201: savedRule },
    errors: ['svc_rule_not_found', ...invalidRule],
    example: { params: { id: 1 }, body: {} },
    handle: async (call, edge) => {
      const { record, ...result } = await call.ask('rules.rule.duplicate.v1', {
        id: call.params.id,
        ...present(call.body),
        edition: edge.edition,
        actor: actorOf(call, edge),
      });
      const headers = { ETag: versionTag(record.version), Location: `${edge.basePath}/v1/rules/${record.id}` };
      return reply(201, { ...result, rule: record }, headers);
    },
  }),
] as const;
