import type { Command } from 'commander';
import type { RowOf } from '../api';
import { type Context, confirm, show, showTable } from '../context';
import { type Column, plain } from '../output';
import { wholeNumber } from '../values';

const templateColumns: readonly Column<RowOf<'GET /v1/rules/templates', 'templates'>>[] = [
  ['TEMPLATE', 'id'],
  ['NAME', 'name'],
  ['DESCRIPTION', 'description', 'flexible'],
];

/** `rules templates`, `add`, `enable`, `disable`, `delete`, `restore`: changes of single rules. */
export function addRuleChanges(rules: Command, context: Context): void {
  rules
    .command('templates')
    .description('list rules that are ready to be made')
    .action(async () => {
      const answer = await context.api().call('GET /v1/rules/templates');
      showTable(context, answer, answer.templates, templateColumns, 'There are no templates.');
    });
  rules
    .command('add')
    .argument('<template>', 'one of rules templates')
    .option('--name <name>', 'another name than the template has')
    .option('--enable', 'let it run at once')
    .option('-y, --yes', 'do not ask')
    .description('make a rule from a template')
    .action(
      async (template: string, { name, enable = false, yes }: { name?: string; enable?: boolean; yes?: boolean }) => {
        await confirm(context, `make ${enable ? 'an enabled' : 'a disabled'} rule from the template ${template}`, yes);
        const body = { template, enabled: enable, ...(name !== undefined && { name }) };
        sayWarnings(await context.api().call('POST /v1/rules', { body }), context);
      },
    );
  for (const [word, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const)
    rules
      .command(word)
      .argument('<id>', 'rule')
      .option('-y, --yes', 'do not ask')
      .description(enabled ? 'let a rule run' : 'stop a rule from running')
      .action(async (id: string, { yes }: { yes?: boolean }) => {
        await confirm(context, `${word} rule ${id}`, yes);
        sayWarnings(await context.api().call('PUT /v1/rules/{id}', { params: { id }, body: { enabled } }), context);
      });
  rules
    .command('delete')
    .argument('<id>', 'rule')
    .option('-y, --yes', 'do not ask')
    .description('delete a rule')
    .action(async (id: string, { yes }: { yes?: boolean }) => {
      await confirm(context, `delete rule ${id}`, yes);
      const answer = await context.api().call('DELETE /v1/rules/{id}', { params: { id } });
      show(context, answer, () => `${plain(answer.message)}\n`);
    });
  rules
    .command('restore')
    .argument('<id>', 'rule')
    .argument('[version]', 'one of rules versions; a deleted rule comes back without it')
    .option('-y, --yes', 'do not ask')
    .description(
      'make a rule again what it was, as a new version; a rule that was deleted within 90 days comes back disabled',
    )
    .action(async (id: string, version: string | undefined, { yes }: { yes?: boolean }) => {
      await confirm(
        context,
        `restore rule ${id}${version === undefined ? '' : ` as it was in version ${version}`}`,
        yes,
      );
      const body = version === undefined ? {} : { version: wholeNumber(version, 'the version') };
      sayWarnings(await context.api().call('POST /v1/rules/{id}/restore', { params: { id }, body }), context);
    });
}

type Saved = { readonly message: string; readonly warnings?: readonly { readonly message: string }[] | undefined };

function sayWarnings(answer: Saved, context: Context): void {
  const warnings = (answer.warnings ?? []).map(({ message }) => `Warning: ${plain(message)}\n`);
  show(context, answer, () => `${plain(answer.message)}\n${warnings.join('')}`);
}
