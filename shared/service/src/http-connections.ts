import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Clock } from './service';

/** A kept-alive connection that was quiet for this many milliseconds is taken to be idle while closing. */
const quietFor = 200;
const checkEvery = 25;

export type Connections = {
  /** Tells of a request that is being answered. */
  track(res: ServerResponse): void;
  /**
   * Stops accepting, lets answers under way finish, tells clients to go, closes connections once they are quiet.
   * What is left after `grace` milliseconds is cut off.
   */
  close(grace: number): Promise<void>;
};

/** Follows the answers under way on a server, so that closing it aborts none of them. */
export function trackConnections(server: Server, clock: Clock): Connections {
  const active = new Set<ServerResponse>();
  const quietSince = new Map<Socket, number>();
  let closed: Promise<void> | undefined;

  server.on('connection', (socket: Socket) => {
    quietSince.set(socket, clock.now());
    socket.once('close', () => quietSince.delete(socket));
  });

  const track = (res: ServerResponse): void => {
    const { socket } = res.req;
    active.add(res);
    if (closed !== undefined) res.shouldKeepAlive = false;
    res.once('close', () => {
      active.delete(res);
      if (quietSince.has(socket)) quietSince.set(socket, clock.now());
    });
  };

  const shut = (grace: number): Promise<void> =>
    new Promise((resolve) => {
      for (const res of active) res.shouldKeepAlive = false;
      const check = setInterval(() => closeQuiet(server, quietSince, active, clock.now()), checkEvery);
      const force = setTimeout(() => server.closeAllConnections(), grace);
      // http.Server.close would cut kept-alive connections at once, also those with a request on its way.
      NetServer.prototype.close.call(server, () => {
        clearInterval(check);
        clearTimeout(force);
        server.close(() => undefined);
        resolve();
      });
    });

  return {
    track,
    close: (grace) => {
      closed ??= shut(grace);
      return closed;
    },
  };
}

/** Closes the connections without an answer under way, once all of them have been quiet for a while. */
function closeQuiet(
  server: Server,
  quietSince: ReadonlyMap<Socket, number>,
  active: ReadonlySet<ServerResponse>,
  now: number,
): void {
  const busy = new Set([...active].map((res) => res.req.socket));
  const idle = [...quietSince].filter(([socket]) => !busy.has(socket));
  if (idle.some(([, since]) => since > now - quietFor)) return;
  server.closeIdleConnections();
  // To Node.js a connection that never said a word is not idle yet.
  for (const [socket] of idle) if (socket.bytesRead === 0) socket.destroy();
}
