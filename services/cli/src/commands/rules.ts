import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { RowOf } from '../api';
import { type Context, confirm, show, showTable } from '../context';
import { exitCodes } from '../failure';
import { readJson, readText } from '../files';
import { type Column, counted, plain, shortTime } from '../output';
import { limitOf, present, wholeNumber } from '../values';
import { addRuleChanges } from './rule-changes';
import { addBacktest } from './what-if';

/** `rules`: rules as a list, as a file under version control, and on an order without effects. */
export function addRules(program: Command, context: Context): void {
  const rules = program.command('rules').description('the rules of the shop');
  addRuleChanges(rules, context);
  addBacktest(rules, context);
  rules
    .command('list')
    .description('list rules in the order in which they run')
    .option('--enabled', 'enabled ones alone')
    .option('--deleted', 'those that were deleted and can be restored')
    .option('--search <text>', 'words of the name')
    .option('--limit <n>', 'how many', '100')
    .action(async ({ limit, ...filters }: { enabled?: boolean; deleted?: boolean; search?: string; limit: string }) => {
      const query = { ...present(filters), per_page: limitOf(limit, 200) };
      const answer = await context.api().call('GET /v1/rules', { query: query as never });
      showTable(context, answer, answer.rules, columns, 'There are no rules.');
    });
  rules
    .command('pull')
    .argument('[file]', 'where to write; standard output without it')
    .description('write all rules as a file (YAML, or JSON for *.json)')
    .action((file: string | undefined) => pull(file, context));
  rules
    .command('diff')
    .argument('<file>', 'YAML or JSON of rules pull')
    .description('say what rules push would change (exit code 1 when something would)')
    .action(async (file: string) => {
      const preview = await sendFile(file, 'preview', context);
      if (isChange(preview)) context.exit(exitCodes.no);
      show(context, preview, () => textOf(preview));
    });
  rules
    .command('push')
    .argument('<file>', 'YAML or JSON of rules pull')
    .description('make the rules what the file says; rules that are not in it are deleted')
    .option('-y, --yes', 'do not ask')
    .action((file: string, { yes }: { yes?: boolean }) => push(file, yes, context));
  rules
    .command('versions')
    .argument('<id>', 'rule')
    .description('list the versions of a rule, the newest first')
    .action(async (id: string) => {
      const answer = await context.api().call('GET /v1/rules/{id}/versions', { params: { id } });
      showTable(context, answer, answer.versions, versionColumns, 'There are no versions.');
    });
  rules
    .command('test')
    .argument('<rule>', 'id of a rule, or a JSON file with rule data')
    .requiredOption('--order <id>', 'order to test it on')
    .description('say whether a rule would match an order, and why; nothing is changed (exit code 1 when it would not)')
    .action((rule: string, { order }: { order: string }) => test(rule, order, context));
}

const columns: readonly Column<RowOf<'GET /v1/rules', 'rules'>>[] = [
  ['ID', 'id'],
  ['ENABLED', 'enabled'],
  ['NAME', 'name', 'flexible'],
  ['VERSION', 'version'],
  ['RUNS', ({ stats }) => stats.run_count],
  ['MATCHES', ({ stats }) => stats.match_count],
  ['LAST FIRED', ({ stats }) => shortTime(stats.last_fired_at)],
];

const versionColumns: readonly Column<RowOf<'GET /v1/rules/{id}/versions', 'versions'>>[] = [
  ['VERSION', 'version'],
  ['SAVED', ({ saved_at }) => shortTime(saved_at)],
  ['BY', 'saved_by'],
  ['NAME', 'name', 'flexible'],
];

const isJson = (file: string): boolean => file.endsWith('.json');

async function pull(file: string | undefined, { api, terminal }: Context): Promise<void> {
  const format = file !== undefined && isJson(file) ? 'json' : 'yaml';
  const text = await (await api().fetch(`/v1/rules/export?format=${format}`)).text();
  if (file === undefined) return terminal.write(text);
  writeFileSync(file, text);
  terminal.warn(`The rules of ${api().url} are in ${file}\n`);
}

type Preview = Readonly<
  Record<'create' | 'change' | 'unchanged' | 'delete', readonly { readonly key: string; readonly name: string }[]>
>;

async function sendFile(file: string, mode: 'preview' | 'apply', { api }: Context): Promise<Preview> {
  const body = readText(file);
  const headers = { 'content-type': isJson(file) ? 'application/json' : 'application/yaml' };
  const response = await api().fetch(`/v1/rules/import?mode=${mode}`, { method: 'POST', headers, body });
  return (await response.json()) as Preview;
}

const isChange = (preview: Preview): boolean =>
  preview.create.length + preview.change.length + preview.delete.length > 0;

function textOf(preview: Preview): string {
  const signs = { create: '+', change: '~', delete: '-' } as const;
  const lines = (['create', 'change', 'delete'] as const).flatMap((kind) =>
    preview[kind].map(({ key, name }) => `${signs[kind]} ${plain(name)} (${key})\n`),
  );
  return `${lines.join('')}${counted(preview.create.length, 'rule')} to create, ${preview.change.length} to change, ${preview.delete.length} to delete, ${preview.unchanged.length} unchanged\n`;
}

async function push(file: string, yes: boolean | undefined, context: Context): Promise<void> {
  const preview = await sendFile(file, 'preview', context);
  if (!isChange(preview))
    return show(context, preview, () => 'The rules are what the file says; nothing was changed.\n');
  if (!context.json()) context.terminal.warn(textOf(preview));
  await confirm(context, `make the rules what ${file} says`, yes);
  const done = await sendFile(file, 'apply', context);
  show(
    context,
    done,
    () => `${done.create.length} created, ${done.change.length} changed, ${done.delete.length} deleted.\n`,
  );
}

async function test(rule: string, order: string, context: Context): Promise<void> {
  const { call } = context.api();
  const isId = /^\d+$/.test(rule);
  const rule_data = isId
    ? await call('GET /v1/rule/{id}', { params: { id: rule } })
    : (readJson(rule) as Record<string, unknown>);
  const body = { order_id: wholeNumber(order, '--order'), rule_data } as never;
  const { data } = await call('POST /pro/v1/debug-rule/test', { body });
  if (!data.matched) context.exit(exitCodes.no);
  show(context, data, () => {
    const conditions = data.conditions.map(
      ({ label, result, reason }) => `  ${result.padEnd(8)} ${plain(label)}: ${plain(reason ?? '')}\n`,
    );
    const suggestions = data.suggestions.map((text) => `  ${plain(text)}\n`);
    return `Order ${order}: the rule ${data.matched ? 'matches' : 'does not match'}.\n${conditions.join('')}${suggestions.length > 0 ? `It would match if:\n${suggestions.join('')}` : ''}`;
  });
}
