import type { Bus, Subscription } from '@order-automation/bus';
import type { RequestInput, RequestOutput, RequestType } from '@order-automation/contracts';
import { addCertificate, type CertificateParts, deleteCertificate, listCertificates } from './certificates';
import {
  certificateLoaded,
  certificateRemoved,
  connectionChanged,
  connectionCreated,
  connectionDeleted,
  gatewayPaused,
  importEnded,
  secretRotated,
} from './change-entries';
import { recordChange, someone } from './change-log';
import {
  type ConnectionParts,
  changeConnection,
  createConnection,
  deleteConnection,
  getConnection,
  listConnections,
  rotateSecret,
} from './connections';
import { type ErasureParts, erasePerson } from './erase-person';
import { type EventParts, getEvent, listDeadLetters, listEvents } from './events';
import { listGateways, pauseGateway } from './gateways';
import { importEvents } from './import';
import { replayEvent } from './replay';
import { cancelReplayJob, getReplayJob, listReplayJobs, type ReplayJobParts, replayEvents } from './replay-jobs';
import { sendTest, type TestParts } from './test-send';

export type AdministrationParts = ConnectionParts &
  CertificateParts &
  ErasureParts &
  EventParts &
  ReplayJobParts &
  TestParts;

type Handlers = { [T in RequestType]?: (input: RequestInput<T>) => Promise<RequestOutput<T>> };

const deleted = { deleted: true } as const;

function connectionHandlers(parts: AdministrationParts): Handlers {
  return {
    'intake.connection.list.v1': async () => ({ connections: await listConnections(parts) }),
    'intake.connection.get.v1': async ({ name }) => ({ connection: await getConnection(parts, name) }),
    'intake.connection.create.v1': async ({ name, fields, by = someone }) => {
      const made = await createConnection(parts, name, fields);
      await recordChange(parts, connectionCreated(by, made.connection));
      return made;
    },
    'intake.connection.change.v1': async ({ name, fields, by = someone }) => {
      const before = await getConnection(parts, name);
      const made = await changeConnection(parts, name, fields);
      const isNewSecret = made.secret !== null || fields.secret !== undefined || fields.public_key !== undefined;
      await recordChange(parts, connectionChanged(by, before, made.connection, isNewSecret));
      return made;
    },
    'intake.connection.delete.v1': async ({ name, by = someone }) => {
      await deleteConnection(parts, name);
      await recordChange(parts, connectionDeleted(by, name));
      return deleted;
    },
    'intake.connection.rotate.v1': async ({ name, overlap_hours, secret, by = someone }) => {
      const made = await rotateSecret(parts, name, { overlapHours: overlap_hours, given: secret });
      await recordChange(parts, secretRotated(by, name, overlap_hours));
      return made;
    },
  };
}

function gatewayHandlers(parts: AdministrationParts): Handlers {
  return {
    'intake.gateway.list.v1': async () => ({ gateways: await listGateways(parts) }),
    'intake.gateway.pause.v1': async ({ gateway, paused, by = someone }) => {
      const done = await pauseGateway(parts, gateway, paused);
      await recordChange(parts, gatewayPaused(by, gateway, paused, done.released));
      return done;
    },
    'intake.certificate.list.v1': async () => ({ certificates: listCertificates(parts) }),
    'intake.certificate.add.v1': async ({ id, pem, by = someone }) => {
      const certificate = await addCertificate(parts, id, pem);
      await recordChange(parts, certificateLoaded(by, certificate));
      return { certificate };
    },
    'intake.certificate.delete.v1': async ({ id, by = someone }) => {
      await deleteCertificate(parts, id);
      await recordChange(parts, certificateRemoved(by, id));
      return deleted;
    },
  };
}

function eventHandlers(parts: AdministrationParts): Handlers {
  return {
    'intake.event.list.v1': ({ filter, ...page }) => listEvents(parts, filter, page),
    'intake.event.get.v1': ({ id }) => getEvent(parts, id),
    'intake.event.replay.v1': (input) => replayEvent(parts, input),
    'intake.events.replay.v1': (input) => replayEvents(parts, input),
    'intake.replay-job.list.v1': async () => ({ jobs: await listReplayJobs(parts) }),
    'intake.replay-job.get.v1': async ({ id }) => ({ job: await getReplayJob(parts, id) }),
    'intake.replay-job.cancel.v1': async (input) => ({ job: await cancelReplayJob(parts, input) }),
    'intake.dead-letter.list.v1': (page) => listDeadLetters(parts, page),
    'intake.test.send.v1': (input) => sendTest(parts, input),
    'intake.person.erase.v1': (input) => erasePerson(parts, input),
    'intake.import.v1': (input) => importEvents(parts, input),
    'intake.import.end.v1': async (input) => {
      await recordChange(parts, importEnded(input));
      return { recorded: true };
    },
  };
}

/** Answers what administrators ask. */
export async function respondToAdministrators(bus: Bus, parts: AdministrationParts): Promise<readonly Subscription[]> {
  const handlers: Handlers = { ...connectionHandlers(parts), ...gatewayHandlers(parts), ...eventHandlers(parts) };
  return Promise.all(
    (Object.keys(handlers) as RequestType[]).map((type) =>
      bus.respond(type, handlers[type] as (input: RequestInput<typeof type>) => Promise<RequestOutput<typeof type>>),
    ),
  );
}
