import type { Command } from 'commander';
import type { RowOf } from '../api';
import { type Context, confirm, show, showTable } from '../context';
import { CliError, exitCodes } from '../failure';
import { type Column, shortTime } from '../output';
import { bodyFilterOf, type Filters, filterOf, limitOf, withFilters } from '../values';

const columns: readonly Column<RowOf<'GET /v1/deliveries', 'deliveries'>>[] = [
  ['CREATED', ({ created_at }) => shortTime(created_at)],
  ['KIND', 'kind'],
  ['STATE', 'state'],
  ['TRIES', 'attempts_made'],
  ['NEXT', ({ next_attempt_at }) => shortTime(next_attempt_at)],
  ['ORDER', 'order_id'],
  ['TARGET', 'target'],
  ['REASON', ({ reason }) => reason ?? '', 'flexible'],
  ['ID', 'id'],
];

const filters: Filters = {
  state: ['state', 'pending, delivered or failed'],
  order: ['order_id', 'order'],
  rule: ['rule_id', 'rule'],
  from: ['from', '2026-11-23 or an instant'],
  to: ['to', '2026-11-23 or an instant'],
};

/** `deliveries`: outbound calls and e-mails, and sending them again. */
export function addDeliveries(program: Command, context: Context): void {
  const deliveries = program.command('deliveries').description('outbound calls and e-mails');
  withFilters(deliveries.command('list').description('list deliveries, newest first'), filters)
    .option('--limit <n>', 'how many', '20')
    .action(async (options: { limit: string }) => {
      const query = { ...filterOf(filters, options), per_page: limitOf(options.limit, 200) };
      const answer = await context.api().call('GET /v1/deliveries', { query });
      showTable(context, answer, answer.deliveries, columns, 'No delivery passes this filter.');
    });
  withFilters(
    deliveries
      .command('resend')
      .argument('[id]', 'one delivery; or filters for many')
      .description('send deliveries again, with the same Idempotency-Key'),
    filters,
  )
    .option('-y, --yes', 'do not ask')
    .action((id: string | undefined, options: { yes?: boolean }) => resend(id, options, context));
}

async function resend(id: string | undefined, options: { yes?: boolean }, context: Context): Promise<void> {
  const { call } = context.api();
  if (id !== undefined) {
    await confirm(context, `send delivery ${id} again`, options.yes);
    const answer = await call('POST /v1/deliveries/{id}/resend', { params: { id } });
    return show(context, answer, () => `It is sent again: orderctl deliveries list shows what becomes of it.\n`);
  }
  const filter = bodyFilterOf(filters, options) as never;
  if (Object.keys(filter).length === 0)
    throw new CliError(exitCodes.usage, 'Name a delivery, or filters.', 'orderctl deliveries resend --state failed');
  const preview = await call('POST /v1/deliveries/resend', { body: { filter, preview: true } });
  if (preview.matching === 0) return show(context, preview, () => 'No delivery passes this filter.\n');
  await confirm(context, `send ${preview.matching} deliveries again`, options.yes);
  const answer = await call('POST /v1/deliveries/resend', { body: { filter, preview: false } });
  show(context, answer, () => `${preview.matching} deliveries are sent again.\n`);
}
