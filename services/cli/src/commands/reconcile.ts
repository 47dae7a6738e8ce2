import { setTimeout as sleep } from 'node:timers/promises';
import type { Success } from '../api';
import type { Commands } from '../commands';
import { ask, type Context, confirm, show } from '../context';
import { exitCodes, usageError } from '../failure';
import { counted, facts, plain, shortTime } from '../output';
import { instantOf } from '../values';

type Source = Success<'GET /v1/webhooks/gateways/{gateway}/source'>;
type Named = { readonly gateway: string };

/** Milliseconds between two looks at how far it has come. */
const lookEvery = 1_000;

/** `reconcile`: a gateway is asked for the events that never arrived. */
export const reconcile: Commands = {
  reconcile: 'ask a gateway for the events that never arrived',
  'reconcile now': { isDefault: true, run: askNow },
  'reconcile show': async ({ gateway }: Named, context) => {
    const answer = await context.api().call('GET /v1/webhooks/gateways/{gateway}/source', { params: { gateway } });
    show(context, answer, () => textOf(answer));
  },
  'reconcile key': async ({ gateway }: Named, context) => {
    const { call } = context.api();
    const before = await call('GET /v1/webhooks/gateways/{gateway}/source', { params: { gateway } });
    const key = (await ask(context, `${before.key_text}\nKey: `, true)).trim();
    const answer = await call('PUT /v1/webhooks/gateways/{gateway}/source', { params: { gateway }, body: { key } });
    show(context, answer, () => textOf(answer));
  },
  'reconcile forget': async ({ gateway }: Named, context) => {
    await confirm(context, `remove the key of ${gateway}; it is asked no more for what never arrived`);
    const answer = await context.api().call('DELETE /v1/webhooks/gateways/{gateway}/source', { params: { gateway } });
    show(context, answer, () => `${gateway} is asked no more.\n`);
  },
};

type Asked = { readonly gateway: string; readonly since?: string | undefined };

/** One gateway, or each that has a key. */
async function askNow({ gateway, since }: Partial<Asked>, context: Context): Promise<void> {
  if (gateway !== undefined) return askOne({ gateway, since }, context);
  const { gateways } = await context.api().call('GET /v1/webhooks/gateways', {});
  const named = Object.values(gateways).filter(({ source }) => source?.connected);
  if (named.length === 0)
    throw usageError('No gateway has a key with which it could be asked.', 'orderctl reconcile key gateway_card');
  for (const { name } of named) await askOne({ gateway: name, since }, context);
}

/** Resolves when everything was asked for, or the gateway could not be asked; says how far it has come meanwhile. */
async function askOne({ gateway, since }: Asked, context: Context): Promise<void> {
  const { call } = context.api();
  const params = { gateway };
  const body = since === undefined ? {} : { since: sinceOf(since) };
  const before = await call('POST /v1/webhooks/gateways/{gateway}/source/ask', { params, body });
  for (;;) {
    const latest = await call('GET /v1/webhooks/gateways/{gateway}/source', { params });
    const answer = { ...latest, found: latest.found - before.found };
    const isOver = answer.asked_at !== before.asked_at && (!answer.asking || answer.problem !== null);
    if (isOver || !answer.connected) {
      if (answer.problem !== null) context.exit(exitCodes.no);
      return show(context, answer, () => `${gateway}: ${plain(outcomeOf(answer))}\n`);
    }
    const { isInteractive, warn } = context.terminal;
    if (isInteractive) warn(`asked up to ${shortTime(answer.asked_until)}, ${counted(answer.found, 'event')} found\n`);
    await sleep(lookEvery);
  }
}

const hours: Readonly<Record<string, number>> = { h: 1, d: 24 };

/** An instant, a day, or so long ago: `12h`, `3d`. */
function sinceOf(text: string): string {
  const [, number, unit = ''] = /^(\d{1,4})([hd])$/.exec(text) ?? [];
  if (number === undefined) return instantOf(text, 'start');
  return new Date(Date.now() - Number(number) * (hours[unit] ?? 0) * 3_600_000).toISOString();
}

function outcomeOf({ problem, found, asked_until }: Source): string {
  if (problem !== null) return problem;
  const fetched = `${counted(found, 'event')} had never arrived and ${found === 1 ? 'was' : 'were'} fetched`;
  const what = found === 0 ? 'nothing was missing' : fetched;
  return `Asked up to ${shortTime(asked_until)}: ${what}.`;
}

function textOf(source: Source): string {
  const { connected, key_text, last_found } = source;
  if (!connected)
    return facts({ key: '-', 'needs a key': key_text, next: 'orderctl reconcile key GATEWAY stores one' });
  return facts({
    key: `…${source.key_last4}`,
    asked: shortTime(source.asked_at),
    'asked up to': shortTime(source.asked_until),
    next: shortTime(source.next_at),
    found: source.found,
    'last found': last_found ? `${counted(last_found.events, 'event')} at ${shortTime(last_found.at)}` : '-',
    problem: source.problem ?? '-',
  });
}
