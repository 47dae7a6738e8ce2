import { writeFileSync } from 'node:fs';
import type { Success } from '../api';
import { type Commands, lists } from '../commands';
import { type Context, confirm, show } from '../context';
import { exitCodes, readJson, readText } from '../failure';
import { counted, plain, shortTime } from '../output';
import { type Limited, limitOf, present, wholeNumber } from '../values';
import { arrivalOrder } from './arrival-order';
import { ruleChanges, warningsText } from './rule-changes';
import { backtests } from './what-if';

type RuleFilters = { readonly enabled?: boolean; readonly deleted?: boolean; readonly search?: string };

/** `rules`: rules as a list, as a file under version control, and on an order without effects. */
export const rules: Commands = {
  rules: 'the rules of the shop',
  ...ruleChanges,
  ...backtests,
  ...arrivalOrder,
  'rules list': lists('GET /v1/rules', {
    rows: 'rules',
    columns: {
      ID: 'id',
      ENABLED: ({ enabled, shadow }) => (shadow ? 'shadow' : enabled),
      NAME: 'name',
      VERSION: 'version',
      RUNS: ({ stats }) => stats.run_count,
      MATCHES: ({ stats }) => stats.match_count,
      'LAST FIRED': ({ stats }) => shortTime(stats.last_fired_at),
    },
    flexible: 'NAME',
    none: 'There are no rules.',
    call: ({ limit, enabled, deleted, search }: RuleFilters & Limited) => ({
      query: { ...present({ enabled, deleted, search }), per_page: limitOf(limit, 200) },
    }),
  }),
  'rules pull': pull,
  'rules diff': async (given: { file: string }, context) => {
    const preview = await sendFile(given.file, 'preview', context);
    if (isChange(preview)) context.exit(exitCodes.no);
    show(context, preview, () => textOf(preview));
  },
  'rules push': push,
  'rules versions': lists('GET /v1/rules/{id}/versions', {
    rows: 'versions',
    columns: { VERSION: 'version', SAVED: ({ saved_at }) => shortTime(saved_at), BY: 'saved_by', NAME: 'name' },
    flexible: 'NAME',
    none: 'There are no versions.',
    call: (_, id) => ({ params: { id } }),
  }),
  'rules test': test,
};

const isJson = (file: string): boolean => file.endsWith('.json');

async function pull({ file }: { file?: string }, { api, terminal }: Context): Promise<void> {
  const format = file !== undefined && isJson(file) ? 'json' : 'yaml';
  const text = await (await api().fetch(`/v1/rules/export?format=${format}`)).text();
  if (file === undefined) return terminal.write(text);
  writeFileSync(file, text);
  terminal.warn(`The rules of ${api().url} are in ${file}\n`);
}

type Preview = Success<'POST /v1/rules/import'>;

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
  return `${lines.join('')}${counted(preview.create.length, 'rule')} to create, ${preview.change.length} to change, ${preview.delete.length} to delete, ${preview.unchanged.length} unchanged\n${warningsText(preview)}`;
}

async function push({ file }: { file: string }, context: Context): Promise<void> {
  const preview = await sendFile(file, 'preview', context);
  if (!isChange(preview))
    return show(context, preview, () => 'The rules are what the file says; nothing was changed.\n');
  if (!context.json()) context.terminal.warn(textOf(preview));
  await confirm(context, `replace all rules by those of ${file}`);
  const done = await sendFile(file, 'apply', context);
  show(
    context,
    done,
    () => `${done.create.length} created, ${done.change.length} changed, ${done.delete.length} deleted.\n`,
  );
}

async function test({ rule, order }: { rule: string; order: string }, context: Context): Promise<void> {
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
    return `Order ${order}: the rule ${data.matched ? 'matches' : 'does not match'}.\n${conditions.join('')}${suggestions.length > 0 ? `What would have to change:\n${suggestions.join('')}` : ''}`;
  });
}
