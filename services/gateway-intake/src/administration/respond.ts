import type { Bus, Subscription } from '@order-automation/bus';
import type { RequestInput, RequestOutput, RequestType } from '@order-automation/contracts';
import { addCertificate, type CertificateParts, deleteCertificate, listCertificates } from './certificates';
import {
  type ConnectionParts,
  changeConnection,
  createConnection,
  deleteConnection,
  getConnection,
  listConnections,
  rotateSecret,
} from './connections';
import { type EventParts, getEvent, listDeadLetters, listEvents, replayEvent, replayEvents } from './events';
import { listGateways, pauseGateway } from './gateways';
import { importEvents } from './import';
import { sendTest, type TestParts } from './test-send';

export type AdministrationParts = ConnectionParts & CertificateParts & EventParts & TestParts;

type Handlers = { [T in RequestType]?: (input: RequestInput<T>) => Promise<RequestOutput<T>> };

const deleted = { deleted: true } as const;

function handlersOf(parts: AdministrationParts): Handlers {
  return {
    'intake.connection.list.v1': async () => ({ connections: await listConnections(parts) }),
    'intake.connection.get.v1': async ({ name }) => ({ connection: await getConnection(parts, name) }),
    'intake.connection.create.v1': ({ name, fields }) => createConnection(parts, name, fields),
    'intake.connection.change.v1': ({ name, fields }) => changeConnection(parts, name, fields),
    'intake.connection.delete.v1': async ({ name }) => {
      await deleteConnection(parts, name);
      return deleted;
    },
    'intake.connection.rotate.v1': ({ name, overlap_hours, secret }) =>
      rotateSecret(parts, name, { overlapHours: overlap_hours, given: secret }),
    'intake.gateway.list.v1': async () => ({ gateways: await listGateways(parts) }),
    'intake.gateway.pause.v1': ({ gateway, paused }) => pauseGateway(parts, gateway, paused),
    'intake.certificate.list.v1': async () => ({ certificates: listCertificates(parts) }),
    'intake.certificate.add.v1': async ({ id, pem }) => ({ certificate: await addCertificate(parts, id, pem) }),
    'intake.certificate.delete.v1': async ({ id }) => {
      await deleteCertificate(parts, id);
      return deleted;
    },
    'intake.event.list.v1': ({ filter, ...page }) => listEvents(parts, filter, page),
    'intake.event.get.v1': ({ id }) => getEvent(parts, id),
    'intake.event.replay.v1': ({ id }) => replayEvent(parts, id),
    'intake.events.replay.v1': ({ filter, preview }) => replayEvents(parts, filter, preview),
    'intake.dead-letter.list.v1': (page) => listDeadLetters(parts, page),
    'intake.test.send.v1': (input) => sendTest(parts, input),
    'intake.import.v1': (input) => importEvents(parts, input),
  };
}

/** Answers what administrators ask. */
export async function respondToAdministrators(bus: Bus, parts: AdministrationParts): Promise<readonly Subscription[]> {
  const handlers = handlersOf(parts);
  return Promise.all(
    (Object.keys(handlers) as RequestType[]).map((type) =>
      bus.respond(type, handlers[type] as (input: RequestInput<typeof type>) => Promise<RequestOutput<typeof type>>),
    ),
  );
}
