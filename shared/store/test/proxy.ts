import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy on loopback that can fall silent, hang up, and come back. */
export type TcpProxy = {
  readonly port: number;
  /** `open` forwards; `silent` takes connections and bytes and forwards nothing; `closed` refuses and hangs up. */
  become(state: 'open' | 'silent' | 'closed'): Promise<void>;
};

export async function startProxy(host: string, port: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let silent = false;
  const track = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
  };
  const server = createServer((client) => {
    const upstream = track(connect(port, host));
    track(client).on('data', (bytes) => void (silent || upstream.write(bytes)));
    upstream.on('data', (bytes) => void (silent || client.write(bytes)));
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = (server.address() as AddressInfo).port;
  const hangUp = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: own,
    become: async (state) => {
      // What was swallowed in silence leaves a stream that makes no sense any more.
      if (silent || state === 'closed') hangUp();
      silent = state === 'silent';
      if (state === 'closed' && server.listening) await new Promise((resolve) => server.close(resolve));
      else if (state !== 'closed' && !server.listening) {
        server.listen(own, '127.0.0.1');
        await once(server, 'listening');
      }
    },
  };
}
