import type { Command } from 'commander';
import { type Context, confirm, show, showTable } from '../context';
import { CliError, exitCodes } from '../failure';
import { counted, facts, plain, shortTime } from '../output';
import { instantOf, limitOf, present } from '../values';

const columns = [
  { title: 'RECEIVED', value: (event: Event) => shortTime(event.received_at) },
  { title: 'STATE', value: (event: Event) => event.state },
  { title: 'OUTCOME', value: (event: Event) => event.outcome },
  { title: 'ORDER', value: (event: Event) => event.order_id },
  { title: 'EVENT', value: (event: Event) => event.event_type, flexible: true as const },
  { title: 'ID', value: (event: Event) => event.id },
];

type Event = {
  readonly id: string;
  readonly state: string;
  readonly received_at: string;
  readonly outcome: string | null;
  readonly order_id: number | null;
  readonly event_type: string;
};

type ListOptions = {
  readonly state?: string;
  readonly gateway?: string;
  readonly type?: string;
  readonly order?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit: string;
};

const filterOf = ({ state, gateway, type, order, from, to }: ListOptions) =>
  present({
    state,
    gateway,
    event_type: type,
    order_id: order,
    from: from && instantOf(from, 'start'),
    to: to && instantOf(to, 'end'),
  });

/** `events` and `dead-letters`: what arrived, what became of it, and again. */
export function addEvents(program: Command, context: Context): void {
  const events = program.command('events').description('received webhook events');
  withFilters(events.command('list').description('list events, newest first'))
    .option('--limit <n>', 'how many', '20')
    .action(async (options: ListOptions) => {
      const query = { ...filterOf(options), per_page: limitOf(options.limit, 200) };
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
        const lines = steps.map(
          ({ timestamp, status, summary }) => `  ${shortTime(timestamp)}  ${status.padEnd(8)} ${plain(summary)}\n`,
        );
        return `${facts(pairs)}\npayload:\n${JSON.stringify(payload, null, 2)}\n\nsteps:\n${lines.join('')}`;
      });
    });
  withFilters(
    events
      .command('replay')
      .argument('[id]', 'one event; or filters for many')
      .description('evaluate finished events again'),
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

type DeadLetter = {
  readonly id: string;
  readonly kind?: string;
  readonly finished_at?: string | null;
  readonly order_id: number | null;
  readonly reason: string | null;
};

const deadColumns = [
  { title: 'GIVEN UP', value: (letter: DeadLetter) => shortTime(letter.finished_at) },
  { title: 'KIND', value: (letter: DeadLetter) => letter.kind ?? 'event' },
  { title: 'ORDER', value: (letter: DeadLetter) => letter.order_id },
  { title: 'REASON', value: (letter: DeadLetter) => letter.reason, flexible: true as const },
  { title: 'ID', value: (letter: DeadLetter) => letter.id },
];

const withFilters = (command: Command): Command =>
  command
    .option('--state <state>', 'accepted, waiting, held, verifying, done, dead or refused')
    .option('--gateway <name>', 'such as gateway_card')
    .option('--type <id>', 'event type')
    .option('--order <id>', 'order')
    .option('--from <time>', '2026-11-23 or an instant')
    .option('--to <time>', '2026-11-23 or an instant');

type ReplayOptions = ListOptions & { readonly original?: boolean; readonly yes?: boolean };

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
  const { order_id, ...filter } = filterOf(options);
  if (Object.keys(filter).length === 0 && order_id === undefined)
    throw new CliError(exitCodes.usage, 'Name an event, or filters.', 'orderctl events replay --state dead');
  const body = { filter: { ...filter, ...(order_id && { order_id: Number(order_id) }) } as never, rules } as const;
  const preview = await call('POST /v1/webhooks/events/replay', { body: { ...body, preview: true } });
  if (preview.matching === 0) return show(context, preview, () => 'No finished event passes this filter.\n');
  await confirm(context, `replay ${counted(preview.matching, 'event')} with the ${rules} rules`, options.yes);
  const answer = await call('POST /v1/webhooks/events/replay', { body: { ...body, preview: false } });
  show(context, answer, () => {
    const more = answer.remaining > 0 ? ` ${answer.remaining} more follow (job ${answer.job?.id ?? ''}).` : '';
    return `${counted(answer.replayed, 'event')} replayed.${more}\n`;
  });
}
