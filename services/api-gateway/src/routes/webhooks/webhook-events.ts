import {
  eventFilterSchema,
  intakeEventsRequests,
  replayJobSchema,
  universalEventSchema,
} from '@order-automation/contracts';
import { z } from 'zod';
import { idText, paging, period, shortText } from '../../http/parameters';
import { route, seconds, streamOf } from '../../http/route';
import { importEvents, importLimit } from '../../webhooks/import';

const owner = { tag: 'Webhooks', access: { needs: 'manage_shop' } } as const;
const one = { ...owner, params: z.object({ id: z.string().max(100) }) } as const;
const oneEvent = { ...one, example: { params: { id: 'evt_01KF0A2B3C4D5E6F7G8H9J0KMP' } } } as const;
const oneReplay = { ...one, example: { params: { id: 'rpl_01KF0A2B3C4D5E6F7G8H9J0KMQ' } } } as const;

const filterParameters = {
  ...eventFilterSchema.pick({ gateway: true, connection: true, event_type: true, state: true, process_id: true }).shape,
  order_id: idText.optional(),
  ...period,
};

/** With the payload in the universal event too (`rawData`, section 2.6 of the specification), masked as it is beside it. */
const wholeEvent = intakeEventsRequests['intake.event.get.v1'].output.extend({
  universal_event: universalEventSchema.extend({ rawData: z.unknown() }),
});

/** Received events: what became of each, again, and what was missed (decisions.md section 6). */
export const webhookEventRoutes = [
  route('GET /v1/webhooks/events', 'List received events', {
    ...owner,
    query: z.object({ ...filterParameters, ...paging }),
    answers: { 200: intakeEventsRequests['intake.event.list.v1'].output },
    handle: ({ query: { page, per_page, ...filter }, answer }) =>
      answer('intake.event.list.v1', { filter, page, per_page }),
  }),
  route('POST /v1/webhooks/events/replay', 'Replay finished events that pass a filter', {
    ...owner,
    body: z.strictObject({
      filter: z.strictObject(eventFilterSchema.shape),
      preview: z.boolean().default(true),
      rules: z.enum(['current', 'original']).default('current'),
    }),
    timeout: seconds(30),
    answers: { 200: intakeEventsRequests['intake.events.replay.v1'].output },
    handle: ({ body, identity, answer }) => answer('intake.events.replay.v1', { ...body, by: identity.name }),
  }),
  route('GET /v1/webhooks/events/replays', 'List replays of many events', {
    ...owner,
    answers: { 200: intakeEventsRequests['intake.replay-job.list.v1'].output },
    handle: ({ answer }) => answer('intake.replay-job.list.v1', {}),
  }),
  route('GET /v1/webhooks/events/replays/{id}', 'Read how far a replay has come', {
    ...oneReplay,
    answers: { 200: replayJobSchema },
    errors: ['svc_replay_not_found'],
    handle: async ({ params, ask }) => ({ body: (await ask('intake.replay-job.get.v1', params)).job }),
  }),
  route('DELETE /v1/webhooks/events/replays/{id}', 'Cancel a replay', {
    ...oneReplay,
    answers: { 200: replayJobSchema },
    errors: ['svc_replay_not_found'],
    handle: async ({ params, identity, ask }) => ({
      body: (await ask('intake.replay-job.cancel.v1', { ...params, by: identity.name })).job,
    }),
  }),
  route('GET /v1/webhooks/events/{id}', 'Read an event with its payload and every step it took', {
    ...oneEvent,
    answers: { 200: wholeEvent },
    errors: ['svc_event_not_found'],
    handle: async ({ params, ask }) => {
      const found = await ask('intake.event.get.v1', params);
      return { body: { ...found, universal_event: { ...found.universal_event, rawData: found.payload } } };
    },
  }),
  route('POST /v1/webhooks/events/{id}/replay', 'Replay an event', {
    ...oneEvent,
    body: z.strictObject({ rules: z.enum(['current', 'original']).default('current') }),
    answers: { 200: intakeEventsRequests['intake.event.replay.v1'].output },
    errors: ['svc_event_not_found', 'svc_event_not_finished', 'svc_event_not_evaluated'],
    handle: ({ params, body, identity, answer }) =>
      answer('intake.event.replay.v1', { ...params, ...body, by: identity.name }),
  }),
  route('POST /v1/webhooks/import', 'Import a gateway’s export of events', {
    ...owner,
    query: z.object({ gateway: shortText, connection: shortText.optional() }),
    rawBody: { types: ['application/x-ndjson', 'application/ndjson'], maxBytes: importLimit },
    ...streamOf('application/x-ndjson'),
    errors: ['svc_gateway_not_found', 'svc_connection_not_found'],
    handle: async ({ query: { gateway, connection = null }, identity, bytes }, edge) => ({
      body: importEvents(edge, { gateway, connection, by: identity.name }, bytes()),
    }),
  }),
] as const;
