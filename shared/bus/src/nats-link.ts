import { type ConnectionOptions, connect, Events, type Msg, type MsgHdrs, type NatsConnection, nuid } from 'nats';
import { BusError } from './errors';
import type { BusLog } from './log';
import { textOf } from './settle';

export type LinkOptions = {
  /** `nats://` or `tls://` addresses; a user and password, or a token, may stand in them. */
  readonly servers: string | readonly string[];
  /** Shown in the server's list of connections. */
  readonly name: string;
  readonly log: BusLog;
};

export type AskOptions = { readonly timeout: number; readonly headers?: MsgHdrs };

/** A connection that comes back by itself, for ever, and says at once when it is away. */
export type Link = {
  readonly nc: NatsConnection;
  /** Why nothing can be sent now; undefined when it can. */
  trouble(): string | undefined;
  /** Bytes that fit into one message, headers included. */
  maxPayload(): number;
  /**
   * Sends with an address to answer to. Rejects with BusError `unavailable` (at once, and for what is under way when the
   * connection goes), `no_responder`, `timeout` or `closed`.
   */
  ask(subject: string, data: Uint8Array, options: AskOptions): Promise<Msg>;
  /** Resolves when the server has seen all that was sent; at once when it is away. */
  flush(): Promise<void>;
  /** The function returned stops the listening. */
  onReconnect(listener: () => void): () => void;
  close(): Promise<void>;
};

type Pending = {
  readonly subject: string;
  readonly deadline: number;
  readonly resolve: (answer: Msg) => void;
  readonly reject: (error: BusError) => void;
};

const sweepEvery = 25;
const noResponders = 503;
const patience = 5_000;

/** Connects once. Rejects with BusError `unavailable` when no server answers. */
export async function openLink(options: LinkOptions): Promise<Link> {
  const nc = await dial(options);
  const pending = new Map<string, Pending>();
  const reconnected = new Set<() => void>();
  const inbox = `_INBOX.${nuid.next()}`;
  let trouble: string | undefined;
  let tokens = 0;
  let sweeper: NodeJS.Timeout | undefined;

  const failAll = (code: 'unavailable' | 'closed', text: string): void => {
    const all = [...pending.values()];
    pending.clear();
    for (const { reject } of all) reject(new BusError(code, text));
  };

  const sweep = (): void => {
    const now = Date.now();
    for (const [token, { deadline, subject, reject }] of pending) {
      if (deadline > now) continue;
      pending.delete(token);
      reject(new BusError('timeout', `${subject} was not answered in time.`));
    }
    if (pending.size > 0) return;
    clearInterval(sweeper);
    sweeper = undefined;
  };

  const heard = (msg: Msg): void => {
    const token = msg.subject.slice(inbox.length + 1);
    const waiting = pending.get(token);
    if (!waiting) return;
    pending.delete(token);
    if (msg.headers?.code === noResponders && msg.data.length === 0) {
      waiting.reject(new BusError('no_responder', `Nobody answers ${waiting.subject}.`));
    } else waiting.resolve(msg);
  };

  const ask = (subject: string, data: Uint8Array, { timeout, headers }: AskOptions): Promise<Msg> =>
    new Promise((resolve, reject) => {
      if (nc.isClosed()) return reject(new BusError('closed', 'The bus is closed.'));
      if (trouble) return reject(new BusError('unavailable', trouble));
      tokens += 1;
      const token = tokens.toString(36);
      try {
        nc.publish(subject, data, { reply: `${inbox}.${token}`, ...(headers ? { headers } : {}) });
      } catch (cause) {
        return reject(new BusError('unavailable', `NATS refused a message: ${textOf(cause)}`, { cause }));
      }
      pending.set(token, { subject, deadline: Date.now() + timeout, resolve, reject });
      sweeper ??= setInterval(sweep, sweepEvery);
    });

  const follow = async (): Promise<void> => {
    for await (const status of nc.status()) {
      if (status.type === Events.Disconnect) {
        trouble = `NATS at ${nc.getServer()} is not connected; trying to connect again.`;
        options.log.warn({ server: nc.getServer() }, 'connection to NATS lost');
        failAll('unavailable', trouble);
      } else if (status.type === Events.Reconnect) {
        trouble = undefined;
        options.log.info({ server: nc.getServer() }, 'connection to NATS is back');
        for (const listener of reconnected) listener();
      } else if (status.type === Events.Error) {
        options.log.error(
          { reason: String(status.data), permission: status.permissionContext },
          'NATS reports an error',
        );
      }
    }
  };

  nc.subscribe(`${inbox}.*`, { callback: (error, msg) => (error ? undefined : heard(msg)) });
  void follow();
  void nc.closed().then((cause) => {
    trouble = cause ? `NATS gave up the connection: ${textOf(cause)}` : 'The bus is closed.';
    clearInterval(sweeper);
    failAll('closed', trouble);
  });

  return {
    nc,
    trouble: () => trouble,
    maxPayload: () => nc.info?.max_payload ?? 0,
    ask,
    flush: async () => {
      if (trouble || nc.isClosed()) return;
      await Promise.race([nc.flush().catch(() => undefined), closedOrLate(nc)]);
    },
    onReconnect: (listener) => {
      reconnected.add(listener);
      return () => reconnected.delete(listener);
    },
    close: () => nc.close(),
  };
}

async function closedOrLate(nc: NatsConnection): Promise<void> {
  await Promise.race([nc.closed(), new Promise((resolve) => setTimeout(resolve, patience).unref())]);
}

async function dial({ servers, name, log }: LinkOptions): Promise<NatsConnection> {
  const addresses = (typeof servers === 'string' ? servers.split(',') : servers).map((text) => text.trim());
  const options: ConnectionOptions = {
    ...credentials(addresses),
    name,
    reconnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 100,
    ignoreAuthErrorAbort: true,
    noAsyncTraces: true,
    timeout: patience,
    pingInterval: 5_000,
    maxPingOut: 2,
  };
  try {
    return await connect(options);
  } catch (cause) {
    const where = (options.servers as string[]).join(', ');
    log.warn({ servers: where, reason: textOf(cause) }, 'NATS does not answer');
    throw new BusError('unavailable', `NATS does not answer at ${where}: ${textOf(cause)}`, { cause });
  }
}

/** Addresses without what stands before the @, and what stood there as the driver wants it. */
function credentials(addresses: readonly string[]): ConnectionOptions {
  const bare: string[] = [];
  let found: ConnectionOptions = {};
  for (const address of addresses) {
    const parts = /^(?:([a-z]+):\/\/)?(?:([^@/]*)@)?([^/]+)\/?$/i.exec(address);
    const [, scheme, secret, host] = parts ?? [];
    if (!host) throw new BusError('unavailable', 'The address of a NATS server must look like nats://host:4222.');
    bare.push(host);
    if (scheme === 'tls') found = { ...found, tls: {} };
    if (!secret) continue;
    const [user = '', pass] = secret.split(':').map(decodeURIComponent);
    found = pass === undefined ? { ...found, token: user } : { ...found, user, pass };
  }
  return { ...found, servers: bare };
}
