import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';

export type ThreadData = { readonly bus: MessagePort; readonly control: MessagePort };

/** A thread that loads its modules, and our ends of its ports. */
export type SpawnedThread = ThreadData & { readonly name: string; readonly worker: Worker };

/** `module` calls `runThread`. The process does not wait for it before `startThread` takes it over. This file imports nothing that takes time to load. */
export function spawnThread(name: string, module: string): SpawnedThread {
  const [bus, control] = [new MessageChannel(), new MessageChannel()];
  const data: ThreadData = { bus: bus.port1, control: control.port1 };
  const worker = new Worker(module, { name, workerData: data, transferList: [data.bus, data.control] });
  worker.unref();
  return { name, worker, bus: bus.port2, control: control.port2 };
}
