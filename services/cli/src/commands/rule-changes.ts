import { asks, type Commands, lists } from '../commands';
import { type Context, confirm, show } from '../context';
import { plain } from '../output';
import { present, wholeNumber } from '../values';

const rule = { '<id>': 'rule' } as const;

const enabling = (word: 'enable' | 'disable', about: string): Commands[string] => ({
  about,
  takes: rule,
  options: asks,
  run: async ({ id }: { id: string }, context) => {
    await confirm(context, `${word} rule ${id}`);
    const body = { enabled: word === 'enable' };
    sayWarnings(await context.api().call('PUT /v1/rules/{id}', { params: { id }, body }), context);
  },
});

type New = { readonly template: string; readonly name?: string; readonly enable?: boolean };

/** `rules templates`, `add`, `enable`, `disable`, `delete`, `restore`: changes of single rules. */
export const ruleChanges: Commands = {
  'rules templates': {
    about: 'list rules that are ready to be made',
    run: lists('GET /v1/rules/templates', {
      rows: 'templates',
      columns: { TEMPLATE: 'id', NAME: 'name', DESCRIPTION: 'description' },
      flexible: 'DESCRIPTION',
      none: 'There are no templates.',
    }),
  },
  'rules add': {
    about: 'make a rule from a template',
    takes: { '<template>': 'one of rules templates' },
    options: { '--name <name>': 'another name than the template has', '--enable': 'let it run at once', ...asks },
    run: async ({ template, name, enable = false }: New, context) => {
      await confirm(context, `make ${enable ? 'an enabled' : 'a disabled'} rule from the template ${template}`);
      const body = { template, enabled: enable, ...present({ name }) };
      sayWarnings(await context.api().call('POST /v1/rules', { body }), context);
    },
  },
  'rules enable': enabling('enable', 'let a rule run'),
  'rules disable': enabling('disable', 'stop a rule from running'),
  'rules delete': {
    about: 'delete a rule',
    takes: rule,
    options: asks,
    run: async ({ id }: { id: string }, context) => {
      await confirm(context, `delete rule ${id}`);
      const answer = await context.api().call('DELETE /v1/rules/{id}', { params: { id } });
      show(context, answer, () => `${plain(answer.message)}\n`);
    },
  },
  'rules restore': {
    about:
      'make a rule again what it was, as a new version; a rule that was deleted within 90 days comes back disabled',
    takes: { ...rule, '[version]': 'one of rules versions; a deleted rule comes back without it' },
    options: asks,
    run: async ({ id, version }: { id: string; version?: string }, context) => {
      const then = version === undefined ? '' : ` as it was in version ${version}`;
      await confirm(context, `restore rule ${id}${then}`);
      const body = version === undefined ? {} : { version: wholeNumber(version, 'the version') };
      sayWarnings(await context.api().call('POST /v1/rules/{id}/restore', { params: { id }, body }), context);
    },
  },
};

type Saved = { readonly message: string; readonly warnings?: readonly { readonly message: string }[] | undefined };

function sayWarnings(answer: Saved, context: Context): void {
  const warnings = (answer.warnings ?? []).map(({ message }) => `Warning: ${plain(message)}\n`);
  show(context, answer, () => `${plain(answer.message)}\n${warnings.join('')}`);
}
