import { type ExportedRule, exportedRuleSchema, importResultSchema } from '@order-automation/contracts';
import { stringify } from 'yaml';
import { z } from 'zod';
import { actorOf, type Edge } from '../../http/edge';
import { jsonObject } from '../../http/parameters';
import { route, seconds } from '../../http/route';

const all = { tag: 'Rules', access: { needs: 'manage_shop' } } as const;
const types = { json: 'application/json', yaml: 'application/yaml' } as const;
/** Milliseconds that the rules service has for one page. */
const pageTimeout = seconds(2.5);

/** A file of an export may have more rules than one import takes. */
const exportedFileSchema = z.strictObject({ version: z.literal(1), rules: z.array(exportedRuleSchema) });

/** Rules as files, for version control (decisions.md section 3). */
export const ruleFileRoutes = [
  route('GET /v1/rules/export', 'Export all rules', {
    ...all,
    description: 'A file that `POST /v1/rules/import` takes. `key` is the stable name of a rule.',
    query: z.object({ format: z.enum(['json', 'yaml']).default('json') }),
    kind: 'stream',
    document: exportedFileSchema,
    produces: [types.json, types.yaml],
    answers: { 200: z.custom<AsyncIterable<string>>() },
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
    description:
      'Makes the rules what the file says, all at once for the events that arrive: rules that are not in it are deleted, and can be restored for 90 days. A rule that somebody saves meanwhile is not overwritten: the import is then refused with 412 and nothing is changed. `mode=preview` says what would be done and does nothing.',
    query: z.object({ mode: z.enum(['preview', 'apply']).default('preview') }),
    body: jsonObject,
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
    example: { body: { version: 1, rules: [] } },
    handle: async (call, edge) => ({
      body: await call.ask('rules.import.v1', {
        file: call.body,
        mode: call.query.mode,
        edition: edge.edition,
        actor: actorOf(call, edge),
      }),
    }),
  }),
] as const;

async function* pages(edge: Edge, signal: AbortSignal): AsyncGenerator<ExportedRule> {
  for (let after: number | null = 0; after !== null && !signal.aborted; ) {
    const page: { rules: ExportedRule[]; next: number | null } = await edge.ask(
      'rules.export.v1',
      { after },
      pageTimeout,
    );
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
