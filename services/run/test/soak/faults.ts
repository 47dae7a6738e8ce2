import { randomBytes } from 'node:crypto';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster, Instance } from '../cluster';
import type { NatsServer } from '../nats-server';
import type { Client } from '../product-client';
import type { Receiver } from './receiver';

/** What goes wrong for a while; `inject` resolves when it is over. */
export type Fault = { readonly name: string; readonly once?: boolean; inject(): Promise<void> };

export type FaultWorld = {
  readonly cluster: Cluster;
  readonly client: Client;
  readonly receiver: Receiver;
  readonly secretKey: string;
  /** A folder on a small file system of its own that has the data, where there is one. */
  readonly disk?: string;
  readonly nats?: NatsServer;
};

/** Milliseconds for which something is down. */
const outage = 8_000;

/** Every fault that the world can have, in the order in which they are injected. */
export function faultsOf({ cluster, client, receiver, secretKey, disk, nats }: FaultWorld): Fault[] {
  const kill = (instance: Instance): Fault => ({
    name: `kill -9 of ${instance.name}`,
    inject: () => cluster.replace(instance, 'kill'),
  });
  const standStill = ({ name, product }: Instance): Promise<void> => stopped([...product.started.values()], name);
  return [
    ...cluster.instances().map(kill),
    ...cluster
      .instances()
      .filter(({ name }) => name === 'worker')
      .map((worker) => ({ name: 'worker stands still', inject: () => standStill(worker) })),
    {
      name: 'receiver down',
      inject: async () => {
        receiver.isDown = true;
        await delay(outage);
        receiver.isDown = false;
      },
    },
    {
      name: 'sender paused and resumed',
      inject: async () => {
        await client('PUT', '/v1/webhooks/gateways/gateway_card', { paused: true });
        await delay(outage);
        await client('PUT', '/v1/webhooks/gateways/gateway_card', { paused: false });
      },
    },
    ...(nats === undefined ? [] : [{ name: 'NATS killed', inject: () => nats.kill().then(() => nats.start()) }]),
    { name: 'SECRET_KEY rotated', once: true, inject: () => rotateKey(cluster, secretKey) },
    ...(disk === undefined ? [] : [{ name: 'disk full', once: true, inject: () => fillDisk(disk) }]),
  ];
}

/** The process stands still, as on a machine that swaps. */
async function stopped(processes: readonly { readonly pid: number }[], name: string): Promise<void> {
  if (processes.length === 0) throw new Error(`${name} has no process`);
  for (const { pid } of processes) process.kill(pid, 'SIGSTOP');
  await delay(outage);
  for (const { pid } of processes) process.kill(pid, 'SIGCONT');
}

/** As docs/operations/secure.md has it, instance after instance; the former key stays, since the log holds entries from its time. */
async function rotateKey(cluster: Cluster, old: string): Promise<void> {
  const next = randomBytes(32).toString('base64');
  const SECRET_KEY = `${next} ${old}`;
  for (const instance of cluster.instances()) await cluster.replace(instance, 'stop', { SECRET_KEY });
}

/** Resolves when there is room again. */
export async function fillDisk(folder: string): Promise<void> {
  const file = join(folder, 'filler');
  const descriptor = openSync(file, 'a');
  try {
    for (const block = Buffer.alloc(4_096, 1); ; ) writeSync(descriptor, block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    await delay(outage);
  } finally {
    closeSync(descriptor);
    rmSync(file);
  }
}
