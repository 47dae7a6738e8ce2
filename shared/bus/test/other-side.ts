import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { inProcessBus } from '@order-automation/bus';
import { natsBus } from '@order-automation/bus/nats';
import { serveBus } from '@order-automation/bus/threads';

/** What the thread is made with: a port to serve a bus of its own on, or where NATS is. */
export type OtherSide = { readonly port: MessagePort } | { readonly uri: string; readonly prefix: string };

/** A responder in a thread of its own, whose event loop the test can block. */
async function main(side: OtherSide): Promise<void> {
  const bus =
    'port' in side
      ? inProcessBus()
      : await natsBus({ servers: side.uri, name: 'other side', profile: 'development', streamPrefix: side.prefix });
  if ('port' in side) serveBus(bus as ReturnType<typeof inProcessBus>, side.port);
  await bus.respond('shop.order.get.v1', async () => ({ orders: [] }));
  parentPort?.on('message', (blocked: number) => {
    parentPort?.postMessage('blocked');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, blocked);
  });
  parentPort?.postMessage('ready');
}

void main(workerData as OtherSide);
