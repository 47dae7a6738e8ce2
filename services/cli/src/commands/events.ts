import type { Command } from 'commander';
import type { RowOf } from '../api';
import { type Context, confirm, show, showTable } from '../context';
import { CliError, exitCodes } from '../failure';
import { type Column, counted, facts, shortTime, stepLines } from '../output';
import { bodyFilterOf, type Filters, filterOf, limitOf, withFilters } from '../values';

const columns: readonly Column<RowOf<'GET /v1/webhooks/events', 'events'>>[] = [
  ['RECEIVED', ({ received_at }) => shortTime(received_at)],
  ['STATE', 'state'],
  ['OUTCOME', 'outcome'],
  ['ORDER', 'order_id'],
  ['EVENT', 'event_type', 'flexible'],
  ['ID', 'id'],
];

const deadColumns: readonly Column<RowOf<'GET /v1/webhooks/dead-letters', 'dead_letters'>>[] = [
  ['GIVEN UP', ({ finished_at }) => shortTime(finished_at)],
  ['KIND', ({ kind }) => kind ?? 'event'],
  ['ORDER', 'order_id'],
  ['REASON', 'reason', 'flexible'],
  ['ID', 'id'],
];

const filters: Filters = {
  state: ['state', 'accepted, waiting, held, verifying, done, dead or refused'],
  gateway: ['gateway', 'such as gateway_card'],
  type: ['event_type', 'event type'],
  order: ['order_id', 'order'],
  from: ['from', '2026-11-23 or an instant'],
  to: ['to', '2026-11-23 or an instant'],
};

/** `events` and `dead-letters`: what arrived, what became of it, and again. */
export function addEvents(program: Command, context: Context): void {
  const events = program.command('events').description('received webhook events');
  withFilters(events.command('list').description('list events, newest first'), filters)
    .option('--limit <n>', 'how many', '20')
    .action(async (options: { limit: string }) => {
      const query = { ...filterOf(filters, options), per_page: limitOf(options.limit, 200) };
      const answer = await context.api().call('GET /v1/webhooks/events', { query: query as never });
      showTable(context, answer, answer.events, columns, 'No event passes this filter.');
    });
  events
    .command('show')
    .argument('<id>', 'event id, such as evt_01KF…')
    .description('show an event with its payload (redacted) and every step it took')
    .action(async (id: string) => {
      const answer = await context.api().call('GET /v1/webhooks/events/{id}', { params: { id } });
      show(context, answer, () => {
        const { event, payload, steps } = answer;
        const { received_at, finished_at, ...rest } = event;
        const pairs = Object.entries({ ...rest, received: shortTime(received_at), finished: shortTime(finished_at) });
        return `${facts(pairs)}\npayload:\n${JSON.stringify(payload, null, 2)}\n\nsteps:\n${stepLines(steps)}`;
      });
    });
  withFilters(
    events
      .command('replay')
      .argument('[id]', 'one event; or filters for many')
      .description('evaluate finished events again'),
    filters,
  )
    .option('--original', 'with the rules in the versions of the first time')
    .option('-y, --yes', 'do not ask')
    .action((id: string | undefined, options: ReplayOptions) => replay(id, options, context));
  program
    .command('dead-letters')
    .description('list events and deliveries that were given up; events replay --state dead tries events again')
    .option('--limit <n>', 'how many', '20')
    .action(async (options: { limit: string }) => {
      const answer = await context
        .api()
        .call('GET /v1/webhooks/dead-letters', { query: { per_page: limitOf(options.limit, 200) } });
      showTable(context, answer, answer.dead_letters, deadColumns, 'Nothing was given up.');
    });
}

type ReplayOptions = { readonly original?: boolean; readonly yes?: boolean };

async function replay(id: string | undefined, options: ReplayOptions, context: Context): Promise<void> {
  const { call } = context.api();
  const rules = options.original ? 'original' : 'current';
  if (id !== undefined) {
    await confirm(context, `replay event ${id} with the ${rules} rules`, options.yes);
    const answer = await call('POST /v1/webhooks/events/{id}/replay', { params: { id }, body: { rules } });
    return show(
      context,
      answer,
      () => `Replayed as ${answer.replay_id}; follow it: orderctl log search --process ${answer.process_id}\n`,
    );
  }
  const filter = bodyFilterOf(filters, options) as never;
  if (Object.keys(filter).length === 0)
    throw new CliError(exitCodes.usage, 'Name an event, or filters.', 'orderctl events replay --state dead');
  const body = { filter, rules } as const;
  const preview = await call('POST /v1/webhooks/events/replay', { body: { ...body, preview: true } });
  if (preview.matching === 0) return show(context, preview, () => 'No finished event passes this filter.\n');
  await confirm(context, `replay ${counted(preview.matching, 'event')} with the ${rules} rules`, options.yes);
  const answer = await call('POST /v1/webhooks/events/replay', { body: { ...body, preview: false } });
  show(context, answer, () => {
    const more = answer.remaining > 0 ? ` ${answer.remaining} more follow (job ${answer.job?.id ?? ''}).` : '';
    return `${counted(answer.replayed, 'event')} replayed.${more}\n`;
  });
}
