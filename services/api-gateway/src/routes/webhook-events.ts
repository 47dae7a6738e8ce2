import {
  type EventFilter,
  eventFilterSchema,
  eventStateSchema,
  intakeAdminRequests,
} from '@order-automation/contracts';
import { z } from 'zod';
import type { Edge } from './edge';
import { idText, page, perPage, present, shortText } from './parameters';
import { route, seconds } from './route';

const owner = { tag: 'Webhooks', access: { needs: 'manage_shop' } } as const;
const eventParameter = z.object({ id: z.string().max(100) });
const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString());

const filterParameters = {
  gateway: shortText.optional(),
  connection: shortText.optional(),
  event_type: shortText.optional(),
  state: eventStateSchema.optional(),
  order_id: idText.optional(),
  process_id: shortText.optional(),
  from: time.optional(),
  to: time.optional(),
};

const importLimit = 64 * 1024 * 1024;
const linesAtOnce = 100;
const longestLine = 1024 * 1024;

/** Received events: what became of each, again, and what was missed (decisions.md section 6). */
export const webhookEventRoutes = [
  route({
    ...owner,
    method: 'GET',
    path: '/v1/webhooks/events',
    summary: 'List received events',
    query: z.object({ ...filterParameters, page, per_page: perPage }),
    answers: { 200: intakeAdminRequests['intake.event.list.v1'].output },
    handle: async ({ query: { page, per_page, ...filter }, ask }) => ({
      body: await ask('intake.event.list.v1', { filter: present(filter), page, per_page }),
    }),
  }),
  route({
    ...owner,
    method: 'GET',
    path: '/v1/webhooks/dead-letters',
    summary: 'List events that were given up',
    query: z.object({ page, per_page: perPage }),
    answers: { 200: intakeAdminRequests['intake.dead-letter.list.v1'].output },
    handle: async ({ query, ask }) => ({ body: await ask('intake.dead-letter.list.v1', query) }),
  }),
  route({
    ...owner,
    method: 'POST',
    path: '/v1/webhooks/events/replay',
    summary: 'Replay finished events that pass a filter',
    description:
      'Up to 500 in one go, oldest first; `preview` only counts. What has taken effect does not take it twice.',
    body: z.strictObject({
      filter: z.strictObject(eventFilterSchema.shape),
      preview: z.boolean().default(true),
      rules: z.literal('current', 'must be "current": rules as they are now').default('current'),
    }),
    patience: seconds(30),
    answers: { 200: intakeAdminRequests['intake.events.replay.v1'].output },
    example: { body: { filter: { state: 'dead' }, preview: true } },
    handle: async ({ body: { filter, preview }, ask }) => ({
      body: await ask('intake.events.replay.v1', { filter: present(filter) as EventFilter, preview }),
    }),
  }),
  route({
    ...owner,
    method: 'GET',
    path: '/v1/webhooks/events/{id}',
    params: eventParameter,
    summary: 'Read an event with its payload and every step it took',
    description: 'Secrets and personal data in the payload are masked.',
    answers: { 200: intakeAdminRequests['intake.event.get.v1'].output },
    errors: ['svc_event_not_found'],
    example: { params: { id: 'evt_01KF0A2B3C4D5E6F7G8H9J0KMP' } },
    handle: async ({ params, ask }) => ({ body: await ask('intake.event.get.v1', params) }),
  }),
  route({
    ...owner,
    method: 'POST',
    path: '/v1/webhooks/events/{id}/replay',
    params: eventParameter,
    summary: 'Replay an event',
    description: 'Evaluates it again with the rules as they are now. What has taken effect does not take it twice.',
    body: z.strictObject({
      rules: z.literal('current', 'must be "current": rules as they are now').default('current'),
    }),
    answers: { 200: intakeAdminRequests['intake.event.replay.v1'].output },
    errors: ['svc_event_not_found', 'svc_event_not_finished'],
    example: { params: { id: 'evt_01KF0A2B3C4D5E6F7G8H9J0KMP' }, body: { rules: 'current' } },
    handle: async ({ params, ask }) => ({ body: await ask('intake.event.replay.v1', params) }),
  }),
  route({
    ...owner,
    method: 'POST',
    path: '/v1/webhooks/import',
    summary: 'Import a gateway’s export of events',
    description:
      'NDJSON, one event a line, as if received now: what came before is a duplicate. Answers NDJSON: a line of progress now and then, and at last `{done: true, …}`.',
    query: z.object({ gateway: shortText, connection: shortText.optional() }),
    rawBody: { types: ['application/x-ndjson', 'application/ndjson'], maxBytes: importLimit },
    kind: 'stream',
    produces: ['application/x-ndjson'],
    answers: { 200: z.custom<AsyncIterable<string>>() },
    errors: ['svc_gateway_not_found', 'svc_connection_not_found'],
    example: { query: { gateway: 'gateway_card' } },
    handle: async ({ query: { gateway, connection = null }, bytes }, edge) => ({
      body: imported(edge, { gateway, connection }, bytes()),
      headers: { 'Content-Type': 'application/x-ndjson' },
    }),
  }),
] as const;

type Target = { readonly gateway: string; readonly connection: string | null };

/** Milliseconds for each batch of lines. */
const batchPatience = 10_000;

async function* imported(edge: Edge, target: Target, bytes: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const totals = { lines: 0, accepted: 0, duplicates: 0, refused: 0 };
  for await (const lines of batchesOf(bytes)) {
    const numbered = lines.filter(({ text }) => text.trim() !== '');
    totals.lines += numbered.length;
    if (numbered.length === 0) continue;
    const input = { ...target, lines: numbered.map(({ text }) => text) };
    const { accepted, duplicates, refused } = await edge.ask('intake.import.v1', input, batchPatience);
    totals.accepted += accepted;
    totals.duplicates += duplicates;
    totals.refused += refused.length;
    const reasons = refused.map(({ line, reason }) => ({ line: numbered[line - 1]?.number ?? line, reason }));
    yield `${JSON.stringify({ done: false, ...totals, refusals: reasons })}\n`;
  }
  yield `${JSON.stringify({ done: true, ...totals })}\n`;
}

type Line = { readonly number: number; readonly text: string };

/** Lines in batches; one that is too long is cut, so that it is refused by itself. */
async function* batchesOf(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Line[]> {
  const decoder = new TextDecoder();
  let rest = '';
  let number = 0;
  let batch: Line[] = [];
  for await (const chunk of bytes) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = (parts.pop() ?? '').slice(0, longestLine);
    for (const text of parts) {
      number += 1;
      batch.push({ number, text });
      if (batch.length === linesAtOnce) {
        yield batch;
        batch = [];
      }
    }
  }
  batch.push({ number: number + 1, text: rest });
  yield batch;
}
