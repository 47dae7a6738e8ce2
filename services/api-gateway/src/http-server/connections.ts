import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Clock } from '@order-automation/service';

/** A kept-alive connection that was quiet for this many milliseconds is taken to be idle while closing. */
const quietFor = 200;
const checkEvery = 25;

type Connection = {
  /** When it last finished an answer, or was made. */
  quietSince: number;
  readonly answers: ServerResponse[];
};

/**
 * Follows the answers in flight on a server, so that closing it aborts none of them. Answers are kept by connection: a Set that gains and
 * loses one for every request chains its outgrown tables in V8, and young collections then keep every request there was.
 */
export function trackConnections(server: Server, clock: Clock) {
  const open = new Map<Socket, Connection>();
  let closed: Promise<void> | undefined;
  let draining = false;

  server.on('connection', (socket: Socket) => {
    open.set(socket, { quietSince: clock.now(), answers: [] });
    socket.once('close', () => open.delete(socket));
  });

  function answered(this: ServerResponse): void {
    const connection = open.get(this.req.socket);
    if (!connection) return;
    connection.answers.splice(connection.answers.indexOf(this), 1);
    connection.quietSince = clock.now();
  }

  /** Tells of a request that is being answered. */
  const track = (res: ServerResponse): void => {
    if (draining) res.shouldKeepAlive = false;
    const connection = open.get(res.req.socket);
    if (!connection) return;
    connection.answers.push(res);
    res.on('close', answered);
  };

  /** From now on each answer ends its connection, so that clients open their next one elsewhere. New connections are still accepted. */
  const drain = (): void => {
    draining = true;
    for (const { answers } of open.values()) for (const res of answers) res.shouldKeepAlive = false;
  };

  const shut = (grace: number): Promise<void> =>
    new Promise((resolve) => {
      drain();
      // An event loop that was busy runs its timers before it reads: a request may wait in the socket of a connection that looks quiet.
      const check = setInterval(() => setImmediate(() => closeQuiet(server, open, clock.now())), checkEvery);
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
    drain,
    /** Stops accepting, finishes answers in flight, closes connections once they are quiet, and cuts what is left after `grace` milliseconds. */
    close: (grace: number): Promise<void> => {
      closed ??= shut(grace);
      return closed;
    },
  };
}

/** Closes the connections without an answer in flight, once all of them have been quiet for a while. */
function closeQuiet(server: Server, open: ReadonlyMap<Socket, Connection>, now: number): void {
  const idle = [...open].filter(([, { answers }]) => answers.length === 0);
  if (idle.some(([, { quietSince }]) => quietSince > now - quietFor)) return;
  server.closeIdleConnections();
  // To Node.js a connection that never said a word is not idle yet.
  for (const [socket] of idle) if (socket.bytesRead === 0) socket.destroy();
}
