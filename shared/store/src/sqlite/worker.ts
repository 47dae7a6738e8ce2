import { parentPort, workerData } from 'node:worker_threads';
import type { Call } from '@order-automation/base';
import { startEngines } from './engine';
import type { Request } from './protocol';

/** A thread of a `sqliteHost({ thread: 'worker' })`: requests come in groups, replies go back in groups. Its data is its `Part`. */
const port = parentPort;
if (port === null) throw new Error('This module runs in a worker thread.');

const engines = startEngines(workerData, (replies) => port.postMessage(replies));
port.on('message', (message: readonly Call<Request>[] | 'close') => {
  if (message !== 'close') return engines.receive(message);
  engines.close();
  port.close();
});
