import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type CuttableProxy = {
  /** The address of the proxy in place of that of the server. */
  readonly uri: string;
  /** Ends every connection and refuses new ones, as a server that is gone does. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  close(): Promise<void>;
};

/** Stands between the product and a server, so that a test can take the server away and bring it back. */
export async function cuttableProxy(serverUri: string): Promise<CuttableProxy> {
  const target = new URL(serverUri);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect({ host: target.hostname, port: Number(target.port) });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  const listen = async (port: number): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const uri = new URL(serverUri);
  uri.hostname = '127.0.0.1';
  uri.port = String(port);
  const cut = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return { uri: uri.toString(), cut, restore: () => listen(port), close: cut };
}
