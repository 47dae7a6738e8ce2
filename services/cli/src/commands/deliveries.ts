import { asks, type Commands, limited, lists } from '../commands';
import { type Context, confirm, show } from '../context';
import { usageError } from '../failure';
import { deliveries as filters } from '../filters.json';
import { counted, shortTime } from '../output';
import { bodyFilterOf, type Limited, optionsOf, pageOf } from '../values';

export const deliveries: Commands = {
  deliveries: 'outbound calls and e-mails',
  'deliveries list': {
    options: { ...optionsOf(filters), ...limited },
    run: lists('GET /v1/deliveries', {
      rows: 'deliveries',
      columns: {
        CREATED: ({ created_at }) => shortTime(created_at),
        KIND: 'kind',
        STATE: 'state',
        TRIES: 'attempts_made',
        NEXT: ({ next_attempt_at }) => shortTime(next_attempt_at),
        ORDER: 'order_id',
        TARGET: 'target',
        REASON: ({ reason }) => reason ?? '',
        ID: 'id',
      },
      flexible: 'REASON',
      none: 'No delivery passes this filter.',
      call: (given: Limited) => pageOf(given, filters),
    }),
  },
  'deliveries resend': { options: { ...optionsOf(filters), ...asks }, run: resend },
};

async function resend({ id, ...options }: { readonly id?: string }, context: Context): Promise<void> {
  const { call } = context.api();
  if (id !== undefined) {
    await confirm(context, `send delivery ${id} again`);
    const answer = await call('POST /v1/deliveries/{id}/resend', { params: { id } });
    return show(context, answer, () => `It is sent again: orderctl deliveries list shows what becomes of it.\n`);
  }
  const filter = bodyFilterOf(filters, options) as never;
  if (Object.keys(filter).length === 0)
    throw usageError('Name a delivery, or filters.', 'orderctl deliveries resend --state failed');
  const preview = await call('POST /v1/deliveries/resend', { body: { filter, preview: true } });
  if (preview.matching === 0) return show(context, preview, () => 'No delivery passes this filter.\n');
  const many = counted(preview.matching, 'delivery', 'deliveries');
  await confirm(context, `send ${many} again`);
  const answer = await call('POST /v1/deliveries/resend', { body: { filter, preview: false } });
  show(context, answer, () => `${many} sent again.\n`);
}
