import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Somebody who is called by `send_webhook`, and may be down. */
export type Receiver = {
  readonly url: string;
  /** How often each `Idempotency-Key` was taken. */
  readonly taken: ReadonlyMap<string, number>;
  isDown: boolean;
  close(): void;
};

export async function startReceiver(): Promise<Receiver> {
  const taken = new Map<string, number>();
  const server = createServer((request, response) => {
    const key = String(request.headers['idempotency-key']);
    request.resume().on('end', () => {
      if (!receiver.isDown) taken.set(key, (taken.get(key) ?? 0) + 1);
      response.writeHead(receiver.isDown ? 503 : 204).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const receiver: Receiver = { url, taken, isDown: false, close: () => void server.close() };
  return receiver;
}
