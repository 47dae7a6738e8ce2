import {
  missingParameters,
  type RequestOutput,
  ruleChangesSchema,
  ruleRecordSchema,
  rulesRequests,
  saveResultSchema,
} from '@order-automation/contracts';
import { z } from 'zod';
import type { Call, KnownCall } from '../../http/call';
import { actorOf, type Edge } from '../../http/edge';
import { booleanText, idParameter, paging, shortText, uncheckedRule, wholeNumberText } from '../../http/parameters';
import { type Exact, reply, route } from '../../http/route';
import { requiredVersion, versionTag } from '../../http/version-tag';
import { saving } from './rule-data';

const version = wholeNumberText(1, 1_000_000_000);

const all = { tag: 'Rules', access: { needs: 'manage_shop' } } as const;
const one = { ...all, params: idParameter, errors: ['svc_rule_not_found'], example: { params: { id: 1 } } } as const;
const invalidRule = ['svc_unknown_component', 'svc_validation_failed', 'svc_licence_required'] as const;
const noVersion = ['svc_rule_not_found', 'svc_rule_version_not_found'] as const;

const changes = z.strictObject({ ...ruleChangesSchema.shape, rule: uncheckedRule.optional() });
const creation = changes.extend({
  enabled: z.boolean().default(false),
  stop_processing: z.boolean().default(false),
  template: z.string().max(100).optional(),
});
const savedRule = saveResultSchema.extend({ rule: ruleRecordSchema });

const change = {
  ...saving,
  etag: true,
  ifMatch: true,
  description:
    'Any subset of the fields. A rule is on (`enabled`), in shadow (`shadow`: decided on live events, with nothing done) or off: what is set of one of them ends the other. `If-Match` with the ETag that was read refuses to overwrite a newer version.',
  body: changes,
  answers: { 200: savedRule },
  errors: ['svc_rule_not_found', ...invalidRule, 'svc_rule_not_tested', 'svc_version_conflict'],
  example: { params: { id: 1 }, body: { enabled: true } },
  handle: changeRule,
} as const;

/** decisions.md section 3: rule records under `/rules`, what they were before, and copies of them. */
export const rulesRoutes = [
  route('GET /v1/rules/{id}/versions', 'List the versions of a rule', {
    ...one,
    query: z.object(paging),
    answers: { 200: rulesRequests['rules.rule.versions.v1'].output },
    handle: ({ params, query, answer }) => answer('rules.rule.versions.v1', { ...params, ...query }),
  }),
  route('GET /v1/rules/{id}/diff', 'Compare two versions of a rule', {
    ...one,
    query: z.object({ from: version, to: version }),
    answers: { 200: rulesRequests['rules.rule.diff.v1'].output },
    errors: noVersion,
    handle: ({ params, query, answer }) => answer('rules.rule.diff.v1', { ...params, ...query }),
  }),
  route('POST /v1/rules/{id}/restore', 'Restore a version of a rule, or a deleted rule', {
    ...one,
    ...saving,
    etag: true,
    ifMatch: true,
    body: z.strictObject({ version: z.int().min(1).optional() }),
    answers: { 200: savedRule },
    errors: [
      ...noVersion,
      ...invalidRule,
      'rest_missing_callback_param',
      'svc_rule_not_tested',
      'svc_version_conflict',
    ],
    handle: async (call, edge) => {
      const if_match = await requiredVersion(call, call.params.id);
      const input = { ...call.params, ...call.body, if_match, ...saver(call, edge) };
      return saved(await call.ask('rules.rule.restore.v1', input));
    },
  }),
  route('POST /v1/rules/{id}/duplicate', 'Duplicate a rule', {
    ...one,
    ...saving,
    etag: true,
    body: z.strictObject({ name: z.string().min(1).max(200).optional() }),
    answers: { 201: savedRule },
    errors: ['svc_rule_not_found', ...invalidRule],
    handle: async (call, edge) => {
      const input = { ...call.params, ...call.body, ...saver(call, edge) };
      return created(await call.ask('rules.rule.duplicate.v1', input), edge);
    },
  }),
  route('GET /v1/rules', 'List rules', {
    ...all,
    query: z.object({
      enabled: booleanText.optional(),
      trigger: shortText.optional(),
      search: shortText.optional(),
      deleted: booleanText.optional(),
      ...paging,
    }),
    answers: { 200: rulesRequests['rules.rule.list.v1'].output },
    handle: ({ query, answer }) => answer('rules.rule.list.v1', query),
  }),
  route('POST /v1/rules', 'Create a rule', {
    ...all,
    ...saving,
    etag: true,
    body: creation,
    answers: { 201: savedRule },
    errors: [...invalidRule, 'svc_rule_not_tested'],
    handle: async (call, edge) => {
      const { template, ...changes } = call.body;
      // Where a rule is given, the rules service says all that is wrong.
      if (template === undefined && changes.rule === undefined)
        throw missingParameters(...(changes.name === undefined ? ['name', 'rule'] : ['rule']));
      const input = { changes, ...(template !== undefined && { template }), ...saver(call, edge) };
      return created(await call.ask('rules.rule.create.v1', input), edge);
    },
  }),
  route('GET /v1/rules/{id}', 'Read a rule', {
    ...one,
    etag: 'version',
    answers: { 200: ruleRecordSchema },
    handle: async ({ params, ask }) => {
      const { record } = await ask('rules.rule.get.v1', params);
      return { body: record, headers: { ETag: versionTag(record.version) } };
    },
  }),
  route('PUT /v1/rules/{id}', 'Change a rule', { ...one, ...change }),
  route('PATCH /v1/rules/{id}', 'Change a rule (as PUT)', { ...one, ...change }),
  route('DELETE /v1/rules/{id}', 'Delete a rule', {
    ...one,
    ...saving,
    ifMatch: true,
    answers: { 200: saveResultSchema },
    errors: ['svc_rule_not_found', 'svc_version_conflict'],
    handle: async (call, edge) => {
      const { id } = call.params;
      const if_match = await requiredVersion(call, id);
      return call.answer('rules.rule.delete.v1', { id, if_match, actor: actorOf(call, edge) });
    },
  }),
] as const;

type ChangeCall = Call<{ id: number }, unknown, Exact<z.output<typeof changes>>, KnownCall['identity']>;

async function changeRule(call: ChangeCall, edge: Edge) {
  if (Object.keys(call.body).length === 0)
    throw missingParameters('name, enabled, shadow, position, stop_processing or rule');
  const { id } = call.params;
  const if_match = await requiredVersion(call, id);
  return saved(await call.ask('rules.rule.save.v1', { id, changes: call.body, if_match, ...saver(call, edge) }));
}

/** What a save says of its caller. */
export const saver = (call: KnownCall, edge: Edge) => ({ edition: edge.edition, actor: actorOf(call, edge) });

type Saved = RequestOutput<'rules.rule.save.v1'>;

function saved({ record, ...result }: Saved) {
  return { body: { ...result, rule: record }, headers: { ETag: versionTag(record.version) } };
}

function created(answer: Saved, edge: Edge) {
  const { body, headers } = saved(answer);
  return reply(201, body, { ...headers, Location: `${edge.basePath}/v1/rules/${answer.record.id}` });
}
