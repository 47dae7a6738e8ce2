import { textOf } from '@order-automation/base';
import { type ConnectionOptions, connect, Events, type NatsConnection, NatsError } from 'nats';
import { BusError } from '../errors';
import type { BusLog } from '../port';
import { inboxPrefix } from './nats-permissions';

export type LinkOptions = {
  /** `nats://` or `tls://` addresses; a user and password, or a token, may stand in them. One `tls://` encrypts all. */
  readonly servers: string | readonly string[];
  /** Shown in the server's list of connections, and part of the addresses that answers go to. */
  readonly name: string;
  readonly log: BusLog;
};

export type Link = Awaited<ReturnType<typeof openLink>>;

/** Milliseconds for a connection, and for the server to take what was sent. */
const timeout = 5_000;
/** Bytes that headers and protocol may take of `max_payload`. */
export const headRoom = 1024;

/** A connection that comes back by itself, for ever, and says at once when it is lost. Connects once: rejects with `unavailable` when no server answers. */
export async function openLink(options: LinkOptions) {
  const nc = await dial(options);
  const waiting = new Set<(error: BusError) => void>();
  let trouble: string | undefined;
  const maxPayload = (): number => nc.info?.max_payload ?? 0;
  const fail = (code: 'unavailable' | 'closed', text: string): void => {
    trouble = text;
    for (const reject of waiting) reject(new BusError(code, text));
    waiting.clear();
  };

  void follow(nc, options.log, {
    lost: () => fail('unavailable', `NATS at ${nc.getServer()} is not connected; trying to connect again.`),
    back: () => {
      trouble = undefined;
    },
  });
  void nc.closed().then((cause) => {
    fail('closed', cause ? `NATS gave up the connection: ${textOf(cause)}` : 'The bus is closed.');
  });

  return {
    nc,
    js: nc.jetstream(),
    manager: () => nc.jetstreamManager({ checkAPI: false }),
    /** Why nothing can be sent now; undefined when it can. */
    trouble: () => trouble,
    /** Bytes a message may have, headers included. */
    maxPayload,
    /** Throws BusError `unavailable`, `closed`, or `too_large` for a body of so many bytes that does not fit into `max_payload`. */
    mustCarry: (subject: string, bytes: number): void => {
      if (trouble) throw new BusError(nc.isClosed() ? 'closed' : 'unavailable', trouble);
      const limit = maxPayload() - headRoom;
      if (bytes <= limit) return;
      throw new BusError('too_large', `${subject}: ${bytes} bytes do not fit; max_payload of NATS allows ${limit}.`);
    },
    /** What the driver does for us, in our words: rejects with BusError `unavailable` once the connection is lost, `no_responder`, `timeout` or `closed`. */
    connected: <T>(work: Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        waiting.add(reject);
        work
          .then(resolve, (error: unknown) => reject(inOurWords(error)))
          .finally(() => {
            waiting.delete(reject);
          });
      }),
    /** Resolves when the server has seen all that was sent; at once when there is no connection. */
    flush: async (): Promise<void> => {
      if (trouble || nc.isClosed()) return;
      const late = new Promise((resolve) => setTimeout(resolve, timeout).unref());
      await Promise.race([nc.flush().catch(() => undefined), nc.closed(), late]);
    },
    close: () => nc.close(),
  };
}

function inOurWords(cause: unknown): BusError {
  if (cause instanceof BusError) return cause;
  const code = cause instanceof NatsError ? cause.code : undefined;
  if (code === '503') return new BusError('no_responder', 'There is no responder.', { cause });
  if (code === 'TIMEOUT') return new BusError('timeout', 'NATS did not answer in time.', { cause });
  if (code === 'CONNECTION_CLOSED') return new BusError('closed', 'The bus is closed.', { cause });
  return new BusError('unavailable', `NATS: ${textOf(cause)}`, { cause });
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

async function dial({ servers, name }: LinkOptions): Promise<NatsConnection> {
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
    timeout,
    pingInterval: 5_000,
    maxPingOut: 2,
  };
  try {
    return await connect(options);
  } catch (cause) {
    const where = (options.servers as string[]).join(', ');
    throw new BusError('unavailable', `NATS does not answer at ${where}: ${textOf(cause)}`, { cause });
  }
}

/** A % that begins no escape stands for itself, as passwords are pasted. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Addresses without what stands before the @, and what stood there as the driver wants it. */
export function addressed(addresses: readonly string[]): ConnectionOptions {
  const bare: string[] = [];
  let found: ConnectionOptions = {};
  for (const address of addresses) {
    const parts = /^(?:(nats|tls):\/\/)?(?:(.*)@)?([^/@]+)\/?$/i.exec(address);
    const [, scheme = 'nats', secret, host] = parts ?? [];
    if (!host) {
      const form = 'nats://host:4222 or tls://host:4222';
      throw new BusError('unavailable', `The address of a NATS server must look like ${form}.`);
    }
    bare.push(host);
    // The driver then refuses a server that does not encrypt.
    if (scheme.toLowerCase() === 'tls') found = { ...found, tls: {} };
    if (!secret) continue;
    const colon = secret.indexOf(':');
    const user = decoded(secret.slice(0, colon));
    found =
      colon < 0 ? { ...found, token: decoded(secret) } : { ...found, user, pass: decoded(secret.slice(colon + 1)) };
  }
  return { ...found, servers: bare };
}
