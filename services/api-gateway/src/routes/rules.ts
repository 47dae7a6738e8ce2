import { invalidParameters, ruleChangesSchema } from '@order-automation/contracts';
import { z } from 'zod';
import { actorOf, type Edge } from './edge';
import { booleanText, idParameter, page, parseQuery, perPage, present, shortText } from './parameters';
import type { Answer, KnownCall, Route } from './route';
import { requiredVersion, requireVersion, versionTag } from './version-tag';

const access = { needs: 'manage_shop' } as const;

const listQuery = z.object({
  enabled: booleanText.optional(),
  trigger: shortText.optional(),
  search: shortText.optional(),
  page,
  per_page: perPage,
});

const createBody = ruleChangesSchema.required({ name: true }).extend({
  enabled: z.boolean().default(false),
  stop_processing: z.boolean().default(false),
});

/** decisions.md section 3: rule records under `/rules`. */
export function rulesRoutes(edge: Edge): readonly Route[] {
  const one = '/v1/rules/:id';
  return [
    { method: 'GET', path: '/v1/rules', access, handle: (call) => listRules(edge, call) },
    { method: 'POST', path: '/v1/rules', access, handle: (call) => createRule(edge, call) },
    { method: 'GET', path: one, access, handle: (call) => readRule(edge, call) },
    { method: 'PUT', path: one, access, handle: (call) => saveRule(edge, call) },
    { method: 'DELETE', path: one, access, handle: (call) => deleteRule(edge, call) },
  ];
}

async function listRules(edge: Edge, call: KnownCall): Promise<Answer> {
  const { page, per_page, ...filters } = parseQuery(listQuery, call.query);
  return { body: await edge.ask('rules.rule.list.v1', { page, per_page, ...present(filters) }) };
}

async function createRule(edge: Edge, call: KnownCall): Promise<Answer> {
  const { name, rule, ...others } = createBody.parse(call.body ?? {});
  if (rule === undefined) throw missing('rule');
  const { record, ...result } = await edge.ask('rules.rule.create.v1', {
    changes: { name, rule, ...present(others) },
    edition: edge.edition,
    actor: actorOf(call, edge),
  });
  const headers = { ETag: versionTag(record.version), Location: `${edge.basePath}/v1/rules/${record.id}` };
  return { status: 201, body: { ...result, rule: record }, headers };
}

async function readRule(edge: Edge, call: KnownCall): Promise<Answer> {
  const { record } = await edge.ask('rules.rule.get.v1', idParameter.parse(call.params));
  return { body: record, headers: { ETag: versionTag(record.version) } };
}

async function saveRule(edge: Edge, call: KnownCall): Promise<Answer> {
  const { id } = idParameter.parse(call.params);
  const changes = present(ruleChangesSchema.parse(call.body ?? {}));
  if (Object.keys(changes).length === 0) throw missing('name, enabled, position, stop_processing or rule');
  const { record, ...result } = await edge.ask('rules.rule.save.v1', {
    id,
    changes,
    if_match: requiredVersion(call.header('if-match')),
    edition: edge.edition,
    actor: actorOf(call, edge),
  });
  return { body: { ...result, rule: record }, headers: { ETag: versionTag(record.version) } };
}

async function deleteRule(edge: Edge, call: KnownCall): Promise<Answer> {
  const { id } = idParameter.parse(call.params);
  const required = requiredVersion(call.header('if-match'));
  if (required !== null) {
    const { record } = await edge.ask('rules.rule.get.v1', { id });
    requireVersion(required, record.version);
  }
  return { body: await edge.ask('rules.rule.delete.v1', { id, actor: actorOf(call, edge) }) };
}

function missing(path: string) {
  const violations = [{ path, message: 'is required' }];
  return invalidParameters(violations, 'rest_missing_callback_param', 'Some required parameters are missing.');
}
