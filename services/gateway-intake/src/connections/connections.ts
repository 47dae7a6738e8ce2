import { type ConnectionRecord, ServiceError } from '@order-automation/contracts';
import { insertNew } from '@order-automation/store';
import { type Connection, type ConnectionSettings, readingOf, type StoredReading } from '../gateways/connection';
import { newestRead, openSenders, type SenderDeps, type SenderDocument } from './sender-documents';

export type ConnectionDocument = SenderDocument &
  StoredReading &
  ConnectionSettings &
  Readonly<Pick<ConnectionRecord, 'id' | 'created_at' | 'updated_at'>>;

export type Connections = Awaited<ReturnType<typeof openConnections>>;

/** Connections are few: an administrator makes each by hand. */
export const maxConnections = 1_000;

const existedMark = 'connection existed';

/** Opens the connections, as the receiving path reads them: without a look into the store for each webhook. */
export async function openConnections(deps: SenderDeps) {
  const senders = { name: 'connections', kind: 'connection', max: maxConnections } as const;
  const stored = await openSenders<ConnectionDocument>(deps, senders);
  const marks = await deps.store.collection<{ readonly _id: string; readonly at: number }>('marks');
  const markExisted = () => insertNew(marks, [{ _id: existedMark, at: Date.now() }]);
  let byName = new Map<string, Connection>();
  let existed = false;
  const read = async () => ({ documents: await stored.all(), mark: await marks.findOne({ _id: existedMark }) });
  const refresh = newestRead(read, ({ documents, mark }) => {
    byName = new Map(
      documents.map((document) => [document._id, connectionOf(document, stored.open(document._id, document.secrets))]),
    );
    existed ||= mark !== null || documents.length > 0;
  });
  const changed = async (): Promise<void> => {
    await refresh();
    await deps.settingsChanged();
  };
  const existing = async (name: string): Promise<ConnectionDocument> => {
    const document = await stored.byName(name);
    if (!document) throw unknownConnection(name);
    return document;
  };
  await refresh();
  if (byName.size > 0) await markExisted();
  return {
    byName: (name: string) => byName.get(name),
    all: () => [...byName.values()],
    /** Whether there is a connection, or ever was, whatever became of it. */
    hasExisted: () => existed,
    stored: stored.all,
    existing,
    /** False when there is one of this name. */
    insert: async (document: ConnectionDocument): Promise<boolean> => {
      await markExisted();
      const isNew = (await insertNew(stored.documents, [document])).length === 0;
      if (isNew) await changed();
      return isNew;
    },
    change: async (name: string, updated_at: string, change: (before: ConnectionDocument) => ConnectionDocument) => {
      const update = (before: ConnectionDocument) => ({ ...change(before), updated_at });
      await stored.change(`the connection ${name}`, () => existing(name), update);
      await changed();
    },
    remove: async (name: string) => {
      if (!(await stored.remove(name))) throw unknownConnection(name);
      await changed();
    },
    refresh,
    reencrypt: stored.reencrypt,
  };
}

function connectionOf(document: ConnectionDocument, secrets: Connection['secrets']): Connection {
  const { _id: name, currency, ...settings } = document;
  return { ...settings, name, currency: currency || undefined, secrets, reading: readingOf(settings) };
}

/** Of the specification (section 4.3): what callers take for connections. */
const gatewayNames: ReadonlySet<string> = new Set(['gateway_card', 'gateway_wallet', 'generic']);

export function unknownConnection(name: string): ServiceError {
  const text = gatewayNames.has(name)
    ? `${name} is a gateway, not a connection: webhooks go to POST /v1/webhooks/${name}, settings to PUT /v1/webhooks/gateways/${name}.`
    : 'There is no connection of this name. It may have been deleted.';
  return new ServiceError(404, 'svc_connection_not_found', text, { name });
}
