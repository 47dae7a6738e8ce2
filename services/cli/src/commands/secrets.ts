import type { RowOf } from '../api';
import { asks, type Commands, lists } from '../commands';
import { confirm, show } from '../context';
import { facts, shortTime } from '../output';
import { overlapOf, present } from '../values';

type NewSecret = {
  readonly overlap: string;
  readonly keep?: boolean;
  readonly secret?: string;
  readonly includeEnvironment?: boolean;
};

/** `secrets list|add|remove` below a group whose commands take the name of a sender as this argument. */
export function secretsOf(group: string, argument: string, about: string): Commands {
  const takes = { [`<${argument}>`]: about };
  const own = group === 'gateways' && { '--include-environment': 'older secrets of the environment end as well' };
  return {
    [`${group} secrets`]: 'secrets that prove webhooks: which are valid, until when, when last used',
    [`${group} secrets list`]: {
      about: 'list the valid secrets, newest first',
      takes,
      run: lists('GET /v1/webhooks/gateways/{gateway}/secrets', {
        rows: 'secrets',
        columns: {
          ID: 'id',
          SECRET: ({ last4 }) => `…${last4}`,
          FROM: 'source',
          SINCE: ({ since }) => shortTime(since),
          UNTIL: endOf,
          'LAST USED': ({ last_used_at }) => (last_used_at === null ? 'never' : shortTime(last_used_at)),
        },
        none: 'There is no secret: every webhook is refused until one is added.',
        call: (_, gateway) => ({ params: { gateway } }),
      }),
    },
    [`${group} secrets add`]: {
      about: 'give the sender a new secret, which is valid at once',
      takes,
      options: {
        '--overlap <hours>': ['how long older secrets stay valid', '24'],
        '--keep': 'older secrets stay valid as long as they were: for a sender with several addresses',
        '--secret <text>': 'the secret that the sender shows; without it one is generated and shown once',
        ...asks,
        ...own,
      },
      run: async ({ overlap, keep, secret, includeEnvironment }: NewSecret, context, gateway) => {
        const hours = overlapOf(overlap);
        const older = keep ? 'older ones stay valid' : `older ones stay valid for ${hours} h`;
        await confirm(context, `give ${gateway} a new secret; ${older}`);
        const body = {
          overlap_hours: keep ? null : hours,
          ...present({ secret, include_environment: includeEnvironment }),
        };
        const { call } = context.api();
        const answer = await call('POST /v1/webhooks/gateways/{gateway}/secrets', { params: { gateway }, body });
        show(context, answer, () =>
          facts([
            ['sender', gateway],
            ['new secret', answer.secret ?? `…${answer.last4}, as you gave it`],
            ...answer.older.map((one): [string, string] => [
              'still valid',
              `…${one.last4} (${one.source}), ${one.until === null ? 'without an end' : `until ${endOf(one)}`}`,
            ]),
            ['note', answer.secret === null ? '' : 'It is not shown again.'],
          ]),
        );
      },
    },
    [`${group} secrets remove`]: {
      about: 'remove a secret: it is invalid at once',
      takes: { ...takes, '<id>': 'as `list` shows it' },
      options: asks,
      run: async ({ id }: { id: string }, context, gateway) => {
        await confirm(context, `remove the secret ${id} of ${gateway}`);
        const { call } = context.api();
        const answer = await call('DELETE /v1/webhooks/gateways/{gateway}/secrets/{id}', { params: { gateway, id } });
        show(context, answer, () => `The secret ${id} of ${gateway} is no longer valid.\n`);
      },
    },
  };
}

type Secret = RowOf<'GET /v1/webhooks/gateways/{gateway}/secrets', 'secrets'>;

const endOf = ({ until }: Pick<Secret, 'until'>): string => (until === null ? 'no end' : shortTime(until));

/** `gateways secrets`: what the card gateway and the shop prove their webhooks with. */
export const gateways: Commands = {
  gateways: 'payment gateways and the shop’s own webhooks',
  ...secretsOf('gateways', 'gateway', 'such as gateway_card'),
};
