import { asks, type Commands, limited, lists } from '../commands';
import { type Context, confirm, show } from '../context';
import { usageError } from '../failure';
import { events as filters } from '../filters.json';
import { counted, facts, shortTime, stepLines } from '../output';
import { bodyFilterOf, type Limited, optionsOf, pageOf } from '../values';

/** `events` and `dead-letters`: what arrived, what became of it, and again. */
export const events: Commands = {
  events: 'received webhook events',
  'events list': {
    options: { ...optionsOf(filters), ...limited },
    run: lists('GET /v1/webhooks/events', {
      rows: 'events',
      columns: {
        RECEIVED: ({ received_at }) => shortTime(received_at),
        STATE: 'state',
        OUTCOME: 'outcome',
        ORDER: 'order_id',
        EVENT: 'event_type',
        ID: 'id',
      },
      flexible: 'EVENT',
      none: 'No event passes this filter.',
      call: (given: Limited) => pageOf(given, filters),
    }),
  },
  'events show': async ({ id }: { id: string }, context) => {
    const answer = await context.api().call('GET /v1/webhooks/events/{id}', { params: { id } });
    show(context, answer, () => {
      const { event, payload, steps } = answer;
      const { received_at, finished_at, ...rest } = event;
      const known = { ...rest, received: shortTime(received_at), finished: shortTime(finished_at) };
      return `${facts(known)}\npayload:\n${JSON.stringify(payload, null, 2)}\n\nsteps:\n${stepLines(steps)}`;
    });
  },
  'events replay': {
    options: { ...optionsOf(filters), '--original': 'with the rules in the versions of the first time', ...asks },
    run: replay,
  },
  'dead-letters': lists('GET /v1/webhooks/dead-letters', {
    rows: 'dead_letters',
    columns: {
      'GIVEN UP': ({ finished_at }) => shortTime(finished_at),
      KIND: ({ kind }) => kind ?? 'event',
      ORDER: 'order_id',
      REASON: 'reason',
      ID: 'id',
    },
    flexible: 'REASON',
    none: 'Nothing was given up.',
    call: (given: Limited) => pageOf(given),
  }),
};

type Replay = { readonly id?: string; readonly original?: boolean };

async function replay({ id, original, ...options }: Replay, context: Context): Promise<void> {
  const { call } = context.api();
  const rules = original ? 'original' : 'current';
  if (id !== undefined) {
    await confirm(context, `replay event ${id} with the ${rules} rules`);
    const answer = await call('POST /v1/webhooks/events/{id}/replay', { params: { id }, body: { rules } });
    const { replay_id, process_id } = answer;
    const next = `follow it: orderctl log search --process ${process_id}`;
    return show(context, answer, () => `Replayed as ${replay_id}; ${next}\n`);
  }
  const filter = bodyFilterOf(filters, options) as never;
  if (Object.keys(filter).length === 0)
    throw usageError('Name an event, or filters.', 'orderctl events replay --state dead');
  const body = { filter, rules } as const;
  const preview = await call('POST /v1/webhooks/events/replay', { body: { ...body, preview: true } });
  if (preview.matching === 0) return show(context, preview, () => 'No finished event passes this filter.\n');
  await confirm(context, `replay ${counted(preview.matching, 'event')} with the ${rules} rules`);
  const answer = await call('POST /v1/webhooks/events/replay', { body: { ...body, preview: false } });
  show(context, answer, () => {
    const more = answer.remaining > 0 ? ` ${answer.remaining} more follow (job ${answer.job?.id ?? ''}).` : '';
    return `${counted(answer.replayed, 'event')} replayed.${more}\n`;
  });
}
