import {
  type ExportedRule,
  exportedRuleSchema,
  importResultSchema,
  type RequestOutput,
  rulesRequests,
} from '@order-automation/contracts';
import { stringify } from 'yaml';
import { z } from 'zod';
import { actorOf, type Edge } from '../../http/edge';
import { route, seconds, streamOf } from '../../http/route';
import { saver } from './rules';

const all = { tag: 'Rules', access: { needs: 'manage_shop' } } as const;

const types = { json: 'application/json', yaml: 'application/yaml' } as const;
/** Milliseconds that the rules service has for one page. */
const pageTimeout = seconds(2.5);

/** A file of an export may have more rules than one import takes. */
const exportedFileSchema = z.strictObject({ version: z.literal(1), rules: z.array(exportedRuleSchema) });

/** All rules together: their order, conflicts among them, templates, and files for version control (decisions.md section 3). */
export const ruleSetRoutes = [
  route('POST /v1/rules/reorder', 'Put rules into another order', {
    ...all,
    body: z.strictObject({ ids: z.array(z.int().min(1)).min(1).max(1_000) }),
    answers: { 200: rulesRequests['rules.reorder.v1'].output },
    errors: ['svc_import_running', 'svc_version_conflict'],
    timeout: seconds(30),
    handle: (call, edge) => call.answer('rules.reorder.v1', { ids: call.body.ids, actor: actorOf(call, edge) }),
  }),
  route('GET /v1/rules/conflicts', 'List conflicts among enabled rules', {
    ...all,
    answers: { 200: rulesRequests['rules.conflict.list.v1'].output },
    timeout: seconds(10),
    handle: ({ answer }) => answer('rules.conflict.list.v1', {}),
  }),
  route('GET /v1/rules/templates', 'List rule templates', {
    ...all,
    answers: { 200: rulesRequests['rules.template.list.v1'].output },
    handle: ({ answer }, { edition }) => answer('rules.template.list.v1', { edition }),
  }),
  route('GET /v1/rules/export', 'Export all rules', {
    ...all,
    query: z.object({ format: z.enum(['json', 'yaml']).default('json') }),
    ...streamOf(types.json, types.yaml),
    document: exportedFileSchema,
    handle: async ({ query: { format }, signal }, edge) => ({
      body: format === 'yaml' ? yamlFile(pages(edge, signal)) : jsonFile(pages(edge, signal)),
      headers: {
        'Content-Type': `${types[format]}; charset=utf-8`,
        'Content-Disposition': `attachment; filename="rules.${format}"`,
      },
    }),
  }),
  route('POST /v1/rules/import', 'Import rules', {
    ...all,
    query: z.object({ mode: z.enum(['preview', 'apply']).default('preview') }),
    body: z.record(z.string(), z.unknown(), 'must be rules as an export writes them'),
    yaml: true,
    maxBody: 4 * 1024 * 1024,
    answers: { 200: importResultSchema },
    errors: [
      'svc_rule_not_tested',
      'svc_unknown_component',
      'svc_validation_failed',
      'svc_licence_required',
      'svc_version_conflict',
      'svc_import_running',
    ],
    timeout: seconds(60),
    handle: (call, edge) => call.answer('rules.import.v1', { file: call.body, ...call.query, ...saver(call, edge) }),
  }),
] as const;

async function* pages(edge: Edge, signal: AbortSignal): AsyncGenerator<ExportedRule> {
  for (let after: number | null = 0; after !== null && !signal.aborted; ) {
    const page: RequestOutput<'rules.export.v1'> = await edge.ask('rules.export.v1', { after }, pageTimeout);
    yield* page.rules;
    after = page.next;
  }
}

async function* jsonFile(rules: AsyncIterable<ExportedRule>): AsyncGenerator<string> {
  let separator = '\n';
  yield '{"version":1,"rules":[';
  for await (const rule of rules) {
    yield `${separator}${JSON.stringify(rule)}`;
    separator = ',\n';
  }
  yield '\n]}\n';
}

async function* yamlFile(rules: AsyncIterable<ExportedRule>): AsyncGenerator<string> {
  let isEmpty = true;
  for await (const rule of rules) {
    if (isEmpty) yield 'version: 1\nrules:\n';
    isEmpty = false;
    yield stringify([rule], { lineWidth: 0 }).replaceAll(/^(?=.)/gm, '  ');
  }
  if (isEmpty) yield 'version: 1\nrules: []\n';
}
