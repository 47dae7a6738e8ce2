import { setTimeout as sleep } from 'node:timers/promises';
import type { AnswerTo } from '@order-automation/api-gateway/client';
import type { Command } from 'commander';
import { type Context, show } from '../context';
import { exitCodes } from '../failure';
import { readJson } from '../files';
import { counted, plain, stepLines } from '../output';
import { instantOf, present, wholeNumber } from '../values';

type Backtest = Extract<AnswerTo<'GET /pro/v1/debug-rule/backtests/{id}'>, { ok: true }>['body']['data'];
type BacktestGroup = Backtest['result']['matching'];

/** `simulate TYPE --order N`: what an event would do, and nothing of it done. */
export function addSimulate(program: Command, context: Context): void {
  program
    .command('simulate')
    .argument('<type>', 'event of the gateway, such as payment_intent.succeeded')
    .requiredOption('--order <id>', 'order that it is about')
    .option('--gateway <name>', 'gateway that would report it', 'gateway_card')
    .description('say what would happen if the gateway reported the event now; nothing is stored, sent or changed')
    .action(async (event_type: string, { order, gateway }: { order: string; gateway: string }) => {
      const body = { order_id: wholeNumber(order, '--order'), event_type, gateway };
      const { data } = await context.api().call('POST /pro/v1/debug-rule/simulate', { body });
      show(context, data, () => {
        const lines = stepLines(data.entries.filter(({ is_debug }) => !is_debug));
        return `${plain(data.reason)}\n${lines}Nothing of it was stored, sent or changed.\n`;
      });
    });
}

type Options = {
  readonly rule?: string;
  readonly version?: string;
  readonly last?: string;
  readonly from?: string;
  readonly to?: string;
};

/** `rules backtest`: a rule on past events, with progress until it ends. */
export function addBacktest(rules: Command, context: Context): void {
  rules
    .command('backtest')
    .argument('<rule>', 'id of a rule, or a JSON file with rule data')
    .option('--rule <id>', 'with a file: the saved rule that it changes')
    .option('--version <n>', 'this version of the saved rule')
    .option('--last <n>', 'so many events, the newest', '1000')
    .option('--from <time>', 'from a day or an instant on, instead of --last')
    .option('--to <time>', 'until a day or an instant')
    .description('say what a rule would have done with past events, beside the saved one; nothing is changed')
    .action((rule: string, options: Options) => backtest(rule, options, context));
}

const pollEvery = 300;

async function backtest(rule: string, options: Options, context: Context): Promise<void> {
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
