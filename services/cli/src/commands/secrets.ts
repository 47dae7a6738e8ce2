import type { Command } from 'commander';
import type { RowOf } from '../api';
import { type Context, confirm, show, showTable } from '../context';
import { type Column, facts, shortTime } from '../output';
import { overlapOf, present } from '../values';

/** `gateways secrets`: what the card gateway and the shop prove their webhooks with. */
export function addGateways(program: Command, context: Context): void {
  const gateways = program.command('gateways').description('payment gateways and the shop’s own webhooks');
  addSecrets(gateways, '<gateway>', 'such as gateway_card', context);
}

/** `secrets list|add|remove` below a command whose argument names the sender. */
export function addSecrets(parent: Command, argument: string, about: string, context: Context): void {
  const secrets = parent
    .command('secrets')
    .description('secrets that prove webhooks: which count, until when, when last used');
  secrets
    .command('list')
    .argument(argument, about)
    .description('list the secrets that count, newest first')
    .action(async (gateway: string) => {
      const answer = await context.api().call('GET /v1/webhooks/gateways/{gateway}/secrets', { params: { gateway } });
      const none = 'There is no secret: every webhook is refused until one is added.';
      showTable(context, answer, answer.secrets, columns, none);
    });
  const add = secrets
    .command('add')
    .argument(argument, about)
    .option('--overlap <hours>', 'how long older secrets count', '24')
    .option('--keep', 'older secrets count as long as they did: for a sender with several addresses')
    .option('--secret <text>', 'the secret that the sender made; one is made and shown once without it')
    .option('-y, --yes', 'do not ask')
    .description('give the sender a new secret, which counts at once');
  if (parent.name() === 'gateways') add.option('--include-environment', 'older secrets of the environment end as well');
  add.action((gateway: string, options: AddOptions) => addSecret(gateway, options, context));
  secrets
    .command('remove')
    .argument(argument, about)
    .argument('<id>', 'as `list` shows it')
    .option('-y, --yes', 'do not ask')
    .description('remove a secret: it is invalid at once')
    .action(async (gateway: string, id: string, { yes }: { yes?: boolean }) => {
      await confirm(context, `remove the secret ${id} of ${gateway}`, yes);
      const answer = await context
        .api()
        .call('DELETE /v1/webhooks/gateways/{gateway}/secrets/{id}', { params: { gateway, id } });
      show(context, answer, () => `The secret ${id} of ${gateway} is no longer valid.\n`);
    });
}

type Secret = RowOf<'GET /v1/webhooks/gateways/{gateway}/secrets', 'secrets'>;

const endOf = ({ until }: Pick<Secret, 'until'>): string => (until === null ? 'no end' : shortTime(until));

const columns: readonly Column<Secret>[] = [
  ['ID', 'id'],
  ['SECRET', ({ last4 }) => `…${last4}`],
  ['FROM', 'source'],
  ['SINCE', ({ since }) => shortTime(since)],
  ['UNTIL', endOf],
  ['LAST USED', ({ last_used_at }) => (last_used_at === null ? 'never' : shortTime(last_used_at))],
];

type AddOptions = {
  readonly overlap: string;
  readonly keep?: boolean;
  readonly secret?: string;
  readonly includeEnvironment?: boolean;
  readonly yes?: boolean;
};

async function addSecret(gateway: string, options: AddOptions, context: Context): Promise<void> {
  const { overlap, keep, secret, includeEnvironment: include_environment, yes } = options;
  const hours = overlapOf(overlap);
  const older = keep ? 'older ones stay valid' : `older ones stay valid for ${hours} h`;
  await confirm(context, `give ${gateway} a new secret; ${older}`, yes);
  const body = { overlap_hours: keep ? null : hours, ...present({ secret, include_environment }) };
  const answer = await context
    .api()
    .call('POST /v1/webhooks/gateways/{gateway}/secrets', { params: { gateway }, body });
  const { older: still } = answer;
  show(context, answer, () =>
    facts([
      ['sender', gateway],
      ['new secret', answer.secret ?? `…${answer.last4}, as you gave it`],
      ...still.map((one): [string, string] => [
        'still counts',
        `…${one.last4} (${one.source}), ${one.until === null ? 'without an end' : `until ${endOf(one)}`}`,
      ]),
      ['note', answer.secret === null ? '' : 'It is not shown again.'],
    ]),
  );
}
