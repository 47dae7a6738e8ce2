import type { Command } from 'commander';
import { type Context, confirm, show, showTable } from '../context';
import { CliError, exitCodes } from '../failure';
import { shortTime } from '../output';
import { instantOf, limitOf, present } from '../values';

type Delivery = {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly target: string;
  readonly order_id: number | null;
  readonly attempts_made: number;
  readonly next_attempt_at: string | null;
  readonly reason: string | null;
  readonly created_at: string;
};

type Options = {
  readonly state?: string;
  readonly order?: string;
  readonly rule?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit: string;
  readonly yes?: boolean;
};

const columns = [
  { title: 'CREATED', value: (each: Delivery) => shortTime(each.created_at) },
  { title: 'KIND', value: (each: Delivery) => each.kind },
  { title: 'STATE', value: (each: Delivery) => each.state },
  { title: 'TRIES', value: (each: Delivery) => each.attempts_made },
  { title: 'NEXT', value: (each: Delivery) => shortTime(each.next_attempt_at) },
  { title: 'ORDER', value: (each: Delivery) => each.order_id },
  { title: 'TARGET', value: (each: Delivery) => each.target },
  { title: 'REASON', value: (each: Delivery) => each.reason ?? '', flexible: true as const },
  { title: 'ID', value: (each: Delivery) => each.id },
];

/** `deliveries`: outbound calls and e-mails, and sending them again. */
export function addDeliveries(program: Command, context: Context): void {
  const deliveries = program.command('deliveries').description('outbound calls and e-mails');
  withFilters(deliveries.command('list').description('list deliveries, newest first'))
    .option('--limit <n>', 'how many', '20')
    .action(async (options: Options) => {
      const query = new URLSearchParams({
        ...filterOf(options),
        per_page: String(limitOf(options.limit, 200)),
      } as Record<string, string>);
      const answer = (await (await context.api().fetch(`/v1/deliveries?${query}`)).json()) as {
        deliveries: Delivery[];
      };
      showTable(context, answer, answer.deliveries, columns, 'No delivery passes this filter.');
    });
  withFilters(
    deliveries
      .command('resend')
      .argument('[id]', 'one delivery; or filters for many')
      .description('send deliveries again, with the same Idempotency-Key'),
  )
    .option('-y, --yes', 'do not ask')
    .action((id: string | undefined, options: Options) => resend(id, options, context));
}

const withFilters = (command: Command): Command =>
  command
    .option('--state <state>', 'pending, delivered or failed')
    .option('--order <id>', 'order')
    .option('--rule <id>', 'rule')
    .option('--from <time>', '2026-11-23 or an instant')
    .option('--to <time>', '2026-11-23 or an instant');

const filterOf = ({ state, order, rule, from, to }: Options) =>
  present({
    state,
    order_id: order,
    rule_id: rule,
    from: from && instantOf(from, 'start'),
    to: to && instantOf(to, 'end'),
  });

async function post(context: Context, path: string, body: unknown): Promise<Record<string, unknown>> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  return (await (await context.api().fetch(path, init)).json()) as Record<string, unknown>;
}

async function resend(id: string | undefined, options: Options, context: Context): Promise<void> {
  if (id !== undefined) {
    await confirm(context, `send delivery ${id} again`, options.yes);
    const answer = await post(context, `/v1/deliveries/${encodeURIComponent(id)}/resend`, {});
    return show(context, answer, () => `It is sent again: orderctl deliveries list shows what becomes of it.\n`);
  }
  const { order_id, rule_id, ...rest } = filterOf(options);
  const filter = {
    ...rest,
    ...(order_id && { order_id: Number(order_id) }),
    ...(rule_id && { rule_id: Number(rule_id) }),
  };
  if (Object.keys(filter).length === 0)
    throw new CliError(exitCodes.usage, 'Name a delivery, or filters.', 'orderctl deliveries resend --state failed');
  const preview = await post(context, '/v1/deliveries/resend', { filter, preview: true });
  if (preview.matching === 0) return show(context, preview, () => 'No delivery passes this filter.\n');
  await confirm(context, `send ${preview.matching} deliveries again`, options.yes);
  const answer = await post(context, '/v1/deliveries/resend', { filter, preview: false });
  show(context, answer, () => `${preview.matching} deliveries are sent again.\n`);
}
