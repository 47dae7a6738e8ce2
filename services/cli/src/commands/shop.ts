import type { Success } from '../api';
import type { Commands } from '../commands';
import { ask, type Context, confirm, show } from '../context';
import { exitCodes } from '../failure';
import { facts, plain, shortTime, table } from '../output';

type Shop = Success<'GET /v1/shop/connection'>;

const shows = (context: Context, answer: Shop) => show(context, answer, () => textOf(answer));

export const shop: Commands = {
  shop: 'the shop that rules act on',
  'shop show': {
    isDefault: true,
    run: async (_: unknown, context) => shows(context, await context.api().call('GET /v1/shop/connection')),
  },
  'shop connect': connect,
  'shop check': async (_: unknown, context) => {
    const answer = await context.api().call('POST /v1/shop/connection/check');
    if (answer.check?.lines.some(({ state }) => state === 'failed')) context.exit(exitCodes.no);
    shows(context, answer);
  },
  'shop disconnect': async (_: unknown, context) => {
    await confirm(context, 'disconnect the shop; rules stop acting on its orders');
    const answer = await context.api().call('DELETE /v1/shop/connection');
    show(context, answer, () => `${plain(answer.notice)}\n`);
  },
};

async function connect({ address, key }: { address: string; key?: string }, context: Context): Promise<void> {
  const { call } = context.api();
  await confirm(context, `connect the shop at ${address}`);
  if (key !== undefined) {
    const body = {
      address,
      consumer_key: key,
      consumer_secret: (await ask(context, 'Consumer secret: ', true)).trim(),
    };
    return shows(context, await call('PUT /v1/shop/connection', { body }));
  }
  const answer = await call('POST /v1/shop/connection/authorize', { body: { address } });
  show(context, answer, () => `Open this address in a browser and approve: ${answer.authorize_url}\n`);
}

function textOf({ check, problems, can_authorize: _, ...shop }: Shop): string {
  const known = Object.entries(shop).map(([name, value]) => [name.replaceAll('_', ' '), String(value ?? '-')]);
  const about = facts({ ...Object.fromEntries(known), problems: problems.join(' ') || '-' });
  if (check === null) return about;
  const lines = table(check.lines, { STATE: 'state', WHAT: 'text', 'WHAT TO DO': ({ cure }) => cure ?? '' });
  return `${about}\nchecked ${shortTime(check.at)}\n${lines}`;
}
