import { setTimeout as sleep } from 'node:timers/promises';
import type { Success } from '../api';
import type { Commands } from '../commands';
import { type Context, show } from '../context';
import { exitCodes, readJson } from '../failure';
import { counted, plain, stepLines } from '../output';
import { instantOf, present, wholeNumber } from '../values';

type Backtest = Success<'GET /pro/v1/debug-rule/backtests/{id}'>['data'];
type BacktestGroup = Backtest['result']['matching'];

/** `why ORDER`: one sentence, and the entries that it rests on; `simulate TYPE --order N`: what an event would do, and nothing of it done. */
export const explanations: Commands = {
  why: async ({ order }: { order: string }, context) => {
    const params = { order_id: wholeNumber(order, 'the order') };
    const answer = await context.api().call('GET /pro/v1/debug-rule/why/{order_id}', { params });
    show(context, answer, () => {
      const { sentence, advice, entries } = answer.data;
      const steps = entries.length > 0 ? `\n${stepLines(entries)}` : '';
      return `${plain(sentence)}\n${advice === null ? '' : `${plain(advice)}\n`}${steps}`;
    });
  },
  simulate: async ({ type: event_type, order, gateway }: { type: string; order: string; gateway: string }, context) => {
    const body = { order_id: wholeNumber(order, '--order'), event_type, gateway };
    const { data } = await context.api().call('POST /pro/v1/debug-rule/simulate', { body });
    show(context, data, () => {
      const lines = stepLines(data.entries.filter(({ is_debug }) => !is_debug));
      return `${plain(data.reason)}\n${lines}Nothing of it was stored, sent or changed.\n`;
    });
  },
};

type Options = Readonly<Partial<Record<'rule' | 'version' | 'last' | 'from' | 'to', string>>>;

/** `rules backtest`: a rule on past events, with progress until it ends. */
export const backtests: Commands = { 'rules backtest': backtest };

const pollEvery = 300;

async function backtest(options: Options, context: Context, rule: string): Promise<void> {
  const body = { ...ruleOf(rule, options), ...rangeOf(options) } as never;
  const started: unknown = await context.api().call('POST /pro/v1/debug-rule/backtest', { body });
  let { data: job } = started as { data: Backtest };
  const { id } = job;
  let said = -1;
  while (job.state === 'running') {
    await sleep(pollEvery);
    ({ data: job } = await context.api().call('GET /pro/v1/debug-rule/backtests/{id}', { params: { id } }));
    if (!context.json() && context.terminal.isInteractive && job.looked !== said)
      context.terminal.warn(`${job.looked} of ${counted(job.total, 'event')}\n`);
    said = job.looked;
  }
  if (job.state !== 'done') context.exit(exitCodes.no);
  show(context, job, () => textOf(job));
}

function ruleOf(rule: string, { rule: saved, version }: Options) {
  if (/^\d+$/.test(rule))
    return { rule_id: Number(rule), ...present({ version: version && wholeNumber(version, '--version') }) };
  return { rule_data: readJson(rule), ...present({ rule_id: saved && wholeNumber(saved, '--rule') }) };
}

function rangeOf({ last = '1000', from, to }: Options) {
  if (from === undefined && to === undefined) return { last: wholeNumber(last, '--last') };
  return {
    ...(from === undefined ? {} : { from: instantOf(from, 'start') }),
    ...(to === undefined ? {} : { to: instantOf(to, 'end') }),
  };
}

function textOf({ rule, state, reason, looked, result, compared_with }: Backtest): string {
  if (state === 'failed') return `The back-test failed: ${reason}\n`;
  const { matching, newly_matching, no_longer_matching, unchanged, unknown } = result;
  const groups: readonly (readonly [string, BacktestGroup | null])[] = compared_with
    ? [
        ['newly matching', newly_matching],
        ['no longer matching', no_longer_matching],
      ]
    : [['matching', matching]];
  const lines = groups.flatMap(([name, group]) => (group ? [groupText(name, group)] : []));
  const same = compared_with ? `  unchanged: ${unchanged.matching} match, ${unchanged.not_matching} do not\n` : '';
  const lacking = unknown === 0 ? '' : `  unknown: ${unknown}, whose record lacks what the rule asks for\n`;
  const ended = state === 'cancelled' ? ' before it was cancelled' : '';
  return `${plain(rule.rule_name)} on ${counted(looked, 'past event')}${ended}:\n${lines.join('')}${same}${lacking}`;
}

function groupText(name: string, { events, orders, value, actions }: BacktestGroup): string {
  const worth = value.map(({ total, currency }) => `${total} ${currency}`).join(', ');
  const run = actions.map(({ label, events: times }) => `${plain(label)} (${times})`).join(', ');
  const about = events === 0 ? '' : ` about ${counted(orders, 'order')}${worth === '' ? '' : ` worth ${worth}`}`;
  return `  ${name}: ${counted(events, 'event')}${about}${run === '' ? '' : `; would run ${run}`}\n`;
}
