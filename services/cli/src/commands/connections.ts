import type { Command } from 'commander';
import type { RowOf } from '../api';
import { type Context, confirm, show, showTable } from '../context';
import { exitCodes } from '../failure';
import { type Column, facts, plain, resultLine, shortTime } from '../output';
import { overlapOf, present, wholeNumber } from '../values';
import { addSecrets } from './secrets';

const columns: readonly Column<RowOf<'GET /v1/webhooks', 'connections'>>[] = [
  ['NAME', 'name'],
  ['ENABLED', 'enabled'],
  ['AUTHENTICATION', 'auth_method'],
  ['SECRET', ({ secret_last4 }) => (secret_last4 ? `…${secret_last4}` : '-')],
  ['LAST EVENT', ({ last_event_at }) => shortTime(last_event_at)],
  ['ADDRESS', 'url'],
];

/** `connections` and `trigger`: senders with an address and a secret of their own, and signed test events. */
export function addConnections(program: Command, context: Context): void {
  const connections = program.command('connections').description('senders of the generic gateway');
  connections
    .command('list')
    .description('list connections')
    .action(async () => {
      const answer = await context.api().call('GET /v1/webhooks');
      const none = 'There are no connections: orderctl connections create NAME makes one.';
      showTable(context, answer, answer.connections, columns, none);
    });
  connections
    .command('create')
    .argument('<name>', 'such as warehouse; it ends the address of the sender')
    .option('--auth <method>', 'none, hmac, bearer or standard_webhooks', 'hmac')
    .option('--header <name>', 'header with the signature (x-signature unless you say otherwise)')
    .option('--encoding <encoding>', 'hex or base64')
    .option('--prefix <text>', 'what stands before the signature, such as sha256=')
    .option('--secret <text>', "the sender's own secret; one is made and shown once without it")
    .option('-y, --yes', 'do not ask')
    .description('make a connection')
    .action((name: string, options: CreateOptions) => create(name, options, context));
  connections
    .command('rotate')
    .argument('<name>')
    .option('--overlap <hours>', 'how long the older secrets count', '24')
    .option('-y, --yes', 'do not ask')
    .description('give a connection a new secret, shown once')
    .action(async (name: string, { overlap, yes }: { overlap: string; yes?: boolean }) => {
      const overlap_hours = overlapOf(overlap);
      await confirm(context, `give ${name} a new secret; older ones stay valid for ${overlap_hours} h`, yes);
      const answer = await context
        .api()
        .call('POST /v1/webhooks/{name}/rotate-secret', { params: { name }, body: { overlap_hours } });
      show(context, answer, () =>
        facts([
          ['connection', name],
          ['new secret', answer.secret],
          ['note', 'It is not shown again.'],
        ]),
      );
    });
  addSecrets(connections, '<name>', 'as `connections list` shows it', context);
  connections
    .command('test')
    .argument('<name>')
    .option('--type <id>', 'event type', 'payment_completed')
    .option('--order <id>', 'order')
    .description('send a signed test event through a connection (exit code 1 when it fails)')
    .action((name: string, { type, order }: { type: string; order?: string }) =>
      trigger(type, { gateway: 'generic', connection: name, ...present({ order }) }, context),
    );
  program
    .command('trigger')
    .argument('<type>', 'event type, such as payment_intent_succeeded')
    .option('--order <id>', 'order; the newest one stands in without it')
    .option('--gateway <name>', 'gateway_card, gateway_wallet, generic or an extension', 'gateway_card')
    .description(
      'send a signed test event of any type: rules decide, and nothing is changed (exit code 1 when it fails)',
    )
    .action((type: string, options: TriggerOptions) => trigger(type, options, context));
}

type CreateOptions = {
  readonly auth: string;
  readonly header?: string;
  readonly encoding?: string;
  readonly prefix?: string;
  readonly secret?: string;
  readonly yes?: boolean;
};

async function create(name: string, options: CreateOptions, context: Context): Promise<void> {
  const { auth: auth_method, header: hmac_header, encoding, prefix, secret } = options;
  await confirm(context, `make the connection ${name}`, options.yes);
  const body = { name, auth_method, ...present({ hmac_header, encoding, prefix, secret }) } as never;
  const answer = await context.api().call('POST /v1/webhooks', { body });
  show(context, answer, () =>
    facts([
      ['connection', answer.connection.name],
      ['address', answer.connection.url],
      ['secret', answer.secret ?? "the sender's own"],
      ['note', answer.secret ? 'The secret is not shown again.' : ''],
    ]),
  );
}

type TriggerOptions = { readonly order?: string; readonly gateway: string; readonly connection?: string };

async function trigger(
  event_type: string,
  { order, gateway, connection }: TriggerOptions,
  context: Context,
): Promise<void> {
  const order_id = order === undefined ? undefined : wholeNumber(order, '--order');
  const body = { event_type, ...present({ order_id, connection }) } as never;
  const answer = await context.api().call('POST /v1/webhooks/test/{gateway}', { params: { gateway }, body });
  if (!answer.test_success) context.exit(exitCodes.no);
  show(context, answer, () => {
    const { processing, performance, recommendations } = answer;
    const lines = processing.entries.map(resultLine);
    return `${facts([
      ['test', answer.test_success ? 'succeeded' : 'failed'],
      ['result', processing.result],
      ['outcome', processing.outcome],
      ['order', answer.order_id],
      ['process', processing.process_id],
      ['took', `${Math.round(performance.total_ms)} ms`],
    ])}\n${lines.join('')}${recommendations.map((text) => `  → ${plain(text)}\n`).join('')}`;
  });
}
