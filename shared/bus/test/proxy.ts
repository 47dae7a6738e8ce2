import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';

/** A way to a server that can be cut and mended. */
export type Way = { readonly uri: string; cut(): Promise<void>; mend(): Promise<void>; close(): Promise<void> };

export async function proxyTo(uri: string): Promise<Way> {
  const target = new URL(uri);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    const far = createConnection({ host: target.hostname, port: Number(target.port) });
    keep(client);
    keep(far);
    client.pipe(far).pipe(client);
    client.on('close', () => far.destroy());
    far.on('close', () => client.destroy());
  });
  const listen = (port: number): Promise<void> => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  const cut = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    uri: `nats://127.0.0.1:${port}`,
    cut,
    mend: () => listen(port),
    close: async () => {
      if (server.listening) await cut();
    },
  };
}
