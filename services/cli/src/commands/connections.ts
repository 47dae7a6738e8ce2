import { type Commands, lists } from '../commands';
import { type Context, confirm, show } from '../context';
import { exitCodes, readText } from '../failure';
import { facts, plain, resultLine, shortTime } from '../output';
import { overlapOf, present, wholeNumber } from '../values';
import { secretsOf } from './secrets';

/** `connections` and `trigger`: senders with an address and a secret of their own, and signed test events. */
export const connections: Commands = {
  connections: 'senders with an address and a secret of their own',
  'connections list': lists('GET /v1/webhooks', {
    rows: 'connections',
    columns: {
      NAME: 'name',
      ENABLED: 'enabled',
      AUTHENTICATION: 'auth_method',
      SECRET: ({ secret_last4 }) => (secret_last4 ? `…${secret_last4}` : '-'),
      'LAST EVENT': ({ last_event_at }) => shortTime(last_event_at),
      ADDRESS: 'url',
    },
    none: 'There are no connections. Create one: orderctl connections create NAME',
  }),
  'connections presets': lists('GET /v1/webhooks/presets', {
    rows: 'presets',
    columns: {
      PRESET: 'id',
      NAME: 'name',
      SECRET: ({ secret_from }) => ({ us: 'from us', sender: "the sender's own", nobody: '-' })[secret_from],
      GATEWAY: ({ gateway }) => gateway ?? '-',
    },
    none: 'There are no presets.',
  }),
  'connections create': create,
  'connections rotate': async ({ name, overlap }: { name: string; overlap: string }, context) => {
    const body = { overlap_hours: overlapOf(overlap) };
    await confirm(context, `give ${name} a new secret; older ones stay valid for ${body.overlap_hours} h`);
    const { call } = context.api();
    const answer = await call('POST /v1/webhooks/{name}/rotate-secret', { params: { name }, body });
    show(context, answer, () =>
      facts({ connection: name, 'new secret': answer.secret, note: 'It is not shown again.' }),
    );
  },
  ...secretsOf('connections', 'name', 'as `connections list` shows it'),
  'connections read': async ({ name, file, type }: { name: string; file: string; type?: string }, context) => {
    const [params, body] = [{ gateway: name }, { body: readText(file), ...(type && { type }) }];
    const answer = await context.api().call('POST /v1/webhooks/gateways/{gateway}/read', { params, body });
    const { refused, events } = answer;
    if (refused !== null) context.exit(exitCodes.no);
    const read = events.map(({ event_type, generic_type, order, order_problem, ...event }) =>
      facts({
        event: generic_type ?? event_type,
        amount: event.amount_problem ?? (event.amount === null ? '-' : `${event.amount} ${event.currency ?? ''}`),
        transaction: event.transaction_id ?? '-',
        order: order ? `${order.number} (${order.status}, ${order.total} ${order.currency})` : (order_problem ?? '-'),
      }),
    );
    show(context, answer, () => (refused === null ? read.join('\n') : `${plain(refused)}\n`));
  },
  'connections test': ({ name, ...test }: { name: string; type: string; order?: string }, context) =>
    trigger({ ...test, gateway: 'generic', connection: name }, context),
  trigger: trigger,
};

type NewConnection = Readonly<Record<'name', string>> &
  Readonly<Partial<Record<'preset' | 'auth' | 'header' | 'encoding' | 'prefix' | 'secret', string>>>;

async function create({ name, preset, auth, header, encoding, prefix, secret }: NewConnection, context: Context) {
  await confirm(context, `create the connection ${name}`);
  const given = present({ preset, auth_method: auth, hmac_header: header, encoding, prefix, secret });
  const body = { name, ...given } as never;
  const answer = await context.api().call('POST /v1/webhooks', { body });
  show(context, answer, () =>
    facts({
      connection: answer.connection.name,
      address: answer.connection.url,
      secret: answer.secret ?? (answer.connection.secret_last4 && "the sender's own"),
      ...(answer.secret && { note: 'The secret is not shown again.' }),
    }),
  );
}

type Test = { readonly type: string; readonly order?: string; readonly gateway: string; readonly connection?: string };

async function trigger({ type: event_type, order, gateway, connection }: Test, context: Context): Promise<void> {
  const order_id = order === undefined ? undefined : wholeNumber(order, '--order');
  const body = { event_type, ...present({ order_id, connection }) } as never;
  const answer = await context.api().call('POST /v1/webhooks/test/{gateway}', { params: { gateway }, body });
  if (!answer.test_success) context.exit(exitCodes.no);
  const { test_success, processing, performance, recommendations } = answer;
  const { result, outcome, process_id, entries } = processing;
  const test = test_success ? 'succeeded' : 'failed';
  const took = `${Math.round(performance.total_ms)} ms`;
  const summary = { test, result, outcome, order: answer.order_id, process: process_id, took };
  const advice = recommendations.map((text) => `  → ${plain(text)}\n`);
  show(context, answer, () => `${facts(summary)}\n${[...entries.map(resultLine), ...advice].join('')}`);
}
