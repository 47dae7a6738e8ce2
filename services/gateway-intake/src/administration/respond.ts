import type { Bus } from '@order-automation/bus';
import type { RequestInput, RequestOutput, RequestType } from '@order-automation/contracts';
import { inboxFigures } from '../inbox/figures';
import { presets } from '../presets';
import { recoveredLately } from '../sources/record';
import {
  certificateLoaded,
  certificateRemoved,
  connectionChanged,
  connectionCreated,
  connectionDeleted,
  gatewayPaused,
  importEnded,
  referenceChanged,
} from './change-log/change-entries';
import { recordChange, recorded } from './change-log/change-log';
import { erasePerson } from './erase-person';
import type { Handlers, Parts } from './parts';
import { checkEventTypes, getEvent, listDeadLetters, listEvents } from './replay/events';
import { importEvents } from './replay/import';
import { replayEvent } from './replay/replay';
import { cancelReplayJob, jobRecord, replayEvents } from './replay/replay-jobs';
import {
  changeConnection,
  createConnection,
  deleteConnection,
  getConnection,
  listConnections,
} from './senders/connections';
import {
  addCertificate,
  deleteCertificate,
  listCertificates,
  listGateways,
  pauseGateway,
  setReference,
} from './senders/gateways';
import { secretHandlers } from './senders/secrets';
import { sourceHandlers } from './senders/sources';
import { readBody } from './tests/read-body';
import { draftEvent, sendTest } from './tests/test-send';

function connectionHandlers(parts: Parts): Handlers {
  return {
    'intake.connection.list.v1': async () => ({ connections: await listConnections(parts) }),
    'intake.connection.get.v1': async ({ name }) => ({ connection: await getConnection(parts, name) }),
    'intake.preset.list.v1': async () => ({
      presets: [...presets.values()].map(({ sample: _sample, vector: _vector, ...shown }) => shown),
    }),
    'intake.connection.create.v1': recorded(parts, createConnection, (by, { name }, made) =>
      connectionCreated(by, name, made?.connection),
    ),
    'intake.connection.change.v1': async (input) => {
      const { name, fields } = input;
      const before = await getConnection(parts, name);
      const isGiven = fields.secret !== undefined || fields.public_key !== undefined;
      const change = recorded(parts, changeConnection, (by, _input, changed) =>
        connectionChanged(by, before, changed?.connection, isGiven || changed?.secret != null),
      );
      return change(input);
    },
    'intake.connection.delete.v1': recorded(parts, deleteConnection, (by, { name }, end) =>
      connectionDeleted(by, name, end),
    ),
  };
}

function gatewayHandlers(parts: Parts): Handlers {
  return {
    'intake.gateway.list.v1': async () => ({ gateways: await listGateways(parts) }),
    'intake.gateway.pause.v1': recorded(parts, pauseGateway, (by, { gateway, paused }, result) =>
      gatewayPaused(by, gateway, paused, result?.released),
    ),
    'intake.gateway.reference.v1': recorded(parts, setReference, (by, { gateway, ...settings }, set) =>
      referenceChanged(by, gateway, settings, set),
    ),
    'intake.certificate.list.v1': async () => ({ certificates: listCertificates(parts) }),
    'intake.certificate.add.v1': recorded(parts, addCertificate, (by, { id }, added) =>
      certificateLoaded(by, id, added?.certificate),
    ),
    'intake.certificate.delete.v1': recorded(parts, deleteCertificate, (by, { id }) => certificateRemoved(by, id)),
  };
}

function eventHandlers(parts: Parts): Handlers {
  return {
    'intake.event.list.v1': (input) => listEvents(input, parts),
    'intake.event-type.check.v1': (input) => checkEventTypes(input, parts),
    'intake.event.get.v1': (input) => getEvent(input, parts),
    'intake.event.replay.v1': (input) => replayEvent(input, parts),
    'intake.events.replay.v1': (input) => replayEvents(input, parts),
    'intake.replay-job.list.v1': async () => ({ jobs: (await parts.replayJobs.newest()).map(jobRecord) }),
    'intake.replay-job.get.v1': async ({ id }) => ({ job: jobRecord(await parts.replayJobs.existing(id)) }),
    'intake.replay-job.cancel.v1': (input) => cancelReplayJob(input, parts),
    'intake.figures.get.v1': async () => ({
      ...(await inboxFigures(parts.collections)),
      recovered: await recoveredLately(parts),
    }),
    'intake.dead-letter.list.v1': (input) => listDeadLetters(input, parts),
    'intake.test.send.v1': (input) => sendTest(input, parts),
    'intake.event.draft.v1': (input) => draftEvent(input, parts),
    'intake.body.read.v1': (input) => readBody(input, parts),
    'intake.person.erase.v1': (input) => erasePerson(input, parts),
    'intake.import.v1': (input) => importEvents(input, parts),
    'intake.import.end.v1': async (input) => {
      await recordChange(parts, importEnded(input));
      return { recorded: true };
    },
  };
}

/** Answers what administrators ask. `askSources`: the gateways that are due are asked at once. */
export async function respondToAdministrators(bus: Bus, parts: Parts, askSources: () => void): Promise<void> {
  const handlers: Handlers = {
    ...connectionHandlers(parts),
    ...gatewayHandlers(parts),
    ...secretHandlers(parts),
    ...eventHandlers(parts),
    ...sourceHandlers(parts, askSources),
  };
  for (const type of Object.keys(handlers) as RequestType[])
    await bus.respond(
      type,
      handlers[type] as (input: RequestInput<typeof type>) => Promise<RequestOutput<typeof type>>,
    );
}
