import { asks, type Commands, lists } from '../commands';
import { type Context, confirm, show } from '../context';
import { facts, plain, shortTime, table } from '../output';
import { present, wholeNumber } from '../values';

const rule = { '<id>': 'rule' } as const;

const states = { enable: { enabled: true }, disable: { enabled: false }, shadow: { shadow: true } } as const;

const enabling = (word: keyof typeof states, about: string): Commands[string] => ({
  about,
  takes: rule,
  options: asks,
  run: async ({ id }: { id: string }, context) => {
    await confirm(context, word === 'shadow' ? `put rule ${id} in shadow` : `${word} rule ${id}`);
    sayWarnings(await context.api().call('PUT /v1/rules/{id}', { params: { id }, body: states[word] }), context);
  },
});

type New = { readonly template: string; readonly name?: string; readonly enable?: boolean };

/** `rules templates`, `add`, `enable`, `disable`, `shadow`, `delete`, `restore`: changes of single rules. */
export const ruleChanges: Commands = {
  'rules templates': lists('GET /v1/rules/templates', {
    rows: 'templates',
    columns: { TEMPLATE: 'id', NAME: 'name', DESCRIPTION: 'description' },
    flexible: 'DESCRIPTION',
    none: 'There are no templates.',
  }),
  'rules add': async ({ template, name, enable = false }: New, context) => {
    await confirm(context, `create ${enable ? 'an enabled' : 'a disabled'} rule from the template ${template}`);
    const body = { template, enabled: enable, ...present({ name }) };
    sayWarnings(await context.api().call('POST /v1/rules', { body }), context);
  },
  'rules enable': enabling('enable', 'let a rule run'),
  'rules disable': enabling('disable', 'stop a rule from running'),
  'rules shadow': enabling('shadow', 'evaluate a rule on live events and change nothing'),
  'rules shadow-report': async ({ id, against }: { id: string; against?: string }, context) => {
    const query = present({ against });
    const answer = await context.api().call('GET /v1/rules/{id}/shadow', { params: { id }, query });
    show(context, answer, () => {
      const { version, since, events, would_match, actions, values, disagreed, disagreements } = answer;
      const { refunded, disputed } = answer;
      const columns = { TIME: 'at', ORDER: 'order_id', PROCESS: 'process_id', 'MATCHED BY': 'matched_by' } as const;
      const known = facts({
        version,
        since: shortTime(since),
        events,
        'would match': would_match,
        actions: actions.map(({ label, count }) => `${label} (${count})`).join(', ') || null,
        orders: values.map(({ total, currency, orders }) => `${orders} of ${total} ${currency}`).join(', ') || null,
        'refunded later': refunded,
        'disputed later': disputed,
        ...(against !== undefined && { [`unlike rule ${against}`]: disagreed }),
      });
      return disagreements.length === 0 ? known : `${known}\n${table(disagreements, columns)}`;
    });
  },
  'rules delete': async ({ id }: { id: string }, context) => {
    await confirm(context, `delete rule ${id}`);
    const answer = await context.api().call('DELETE /v1/rules/{id}', { params: { id } });
    show(context, answer, () => `${plain(answer.message)}\n`);
  },
  'rules restore': async ({ id, version }: { id: string; version?: string }, context) => {
    const then = version === undefined ? '' : ` as it was in version ${version}`;
    await confirm(context, `restore rule ${id}${then}`);
    const body = version === undefined ? {} : { version: wholeNumber(version, 'the version') };
    sayWarnings(await context.api().call('POST /v1/rules/{id}/restore', { params: { id }, body }), context);
  },
};

type Warned = { readonly warnings?: readonly { readonly message: string }[] | undefined };

export const warningsText = ({ warnings = [] }: Warned): string =>
  warnings.map(({ message }) => `Warning: ${plain(message)}\n`).join('');

function sayWarnings(answer: Warned & { readonly message: string }, context: Context): void {
  show(context, answer, () => `${plain(answer.message)}\n${warningsText(answer)}`);
}
