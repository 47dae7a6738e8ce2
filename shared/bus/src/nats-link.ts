import { type ConnectionOptions, connect, Events, type Msg, type MsgHdrs, type NatsConnection } from 'nats';
import { BusError } from './errors';
import type { BusLog } from './log';
import { newAnswers } from './nats-answers';
import { inboxPrefix } from './nats-permissions';
import { textOf } from './settle';

export type LinkOptions = {
  /** `nats://` or `tls://` addresses; a user and password, or a token, may stand in them. One `tls://` encrypts all. */
  readonly servers: string | readonly string[];
  /** Shown in the server's list of connections. */
  readonly name: string;
  readonly log: BusLog;
};

export type AskOptions = { readonly timeout: number; readonly headers?: MsgHdrs };

/** A connection that comes back by itself, for ever, and says at once when it is away. */
export type Link = {
  readonly nc: NatsConnection;
  /** In front of the addresses that this connection gives others to answer to. */
  readonly inboxPrefix: string;
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

const patience = 5_000;

/** Connects once. Rejects with BusError `unavailable` when no server answers. */
export async function openLink(options: LinkOptions): Promise<Link> {
  const nc = await dial(options);
  const answers = newAnswers(inboxPrefix(options.name));
  const reconnected = new Set<() => void>();
  let trouble: string | undefined;

  const ask = async (subject: string, data: Uint8Array, { timeout, headers }: AskOptions): Promise<Msg> => {
    if (nc.isClosed()) throw new BusError('closed', 'The bus is closed.');
    if (trouble) throw new BusError('unavailable', trouble);
    const { replyTo, answer } = answers.expect(subject, timeout);
    try {
      nc.publish(subject, data, { reply: replyTo, ...(headers ? { headers } : {}) });
    } catch (cause) {
      answer.catch(() => undefined);
      throw new BusError('unavailable', `A message could not be sent: ${textOf(cause)}`, { cause });
    }
    return answer;
  };

  nc.subscribe(answers.subject, { callback: (error, msg) => (error ? undefined : answers.heard(msg)) });
  void follow(nc, options.log, {
    lost: () => {
      trouble = `NATS at ${nc.getServer()} is not connected; trying to connect again.`;
      answers.failAll('unavailable', trouble);
    },
    back: () => {
      trouble = undefined;
      for (const listener of reconnected) listener();
    },
  });
  void nc.closed().then((cause) => {
    trouble = cause ? `NATS gave up the connection: ${textOf(cause)}` : 'The bus is closed.';
    answers.failAll('closed', trouble);
  });

  return {
    nc,
    inboxPrefix: inboxPrefix(options.name),
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

type Changes = { readonly lost: () => void; readonly back: () => void };

async function follow(nc: NatsConnection, log: BusLog, { lost, back }: Changes): Promise<void> {
  for await (const { type, data, permissionContext: permission } of nc.status()) {
    if (type === Events.Disconnect) {
      log.warn({ server: nc.getServer() }, 'connection to NATS lost');
      lost();
    } else if (type === Events.Reconnect) {
      log.info({ server: nc.getServer() }, 'connection to NATS is back');
      back();
    } else if (type === Events.Error) {
      log.error({ reason: String(data), permission }, 'NATS reports an error');
    }
  }
}

async function closedOrLate(nc: NatsConnection): Promise<void> {
  await Promise.race([nc.closed(), new Promise((resolve) => setTimeout(resolve, patience).unref())]);
}

async function dial({ servers, name, log }: LinkOptions): Promise<NatsConnection> {
  const addresses = (typeof servers === 'string' ? servers.split(',') : servers).map((text) => text.trim());
  const options: ConnectionOptions = {
    ...addressed(addresses),
    name,
    inboxPrefix: inboxPrefix(name),
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
function addressed(addresses: readonly string[]): ConnectionOptions {
  const bare: string[] = [];
  let found: ConnectionOptions = {};
  for (const address of addresses) {
    const parts = /^(?:(nats|tls):\/\/)?(?:([^@/]*)@)?([^/@]+)\/?$/i.exec(address);
    const [, scheme = 'nats', secret, host] = parts ?? [];
    if (!host) {
      throw new BusError(
        'unavailable',
        'The address of a NATS server must look like nats://host:4222 or tls://host:4222.',
      );
    }
    bare.push(host);
    // The driver then refuses a server that does not encrypt.
    if (scheme.toLowerCase() === 'tls') found = { ...found, tls: {} };
    if (!secret) continue;
    const [user = '', pass] = secret.split(':').map(decodeURIComponent);
    found = pass === undefined ? { ...found, token: user } : { ...found, user, pass };
  }
  return { ...found, servers: bare };
}
