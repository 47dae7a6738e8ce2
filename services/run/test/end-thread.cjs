/**
 * Loaded before the product (`node --require`): ends threads of the process as a fault in native code or an exhausted heap would.
 * SIGUSR2 ends those that the main thread started after the first one, SIGHUP those that its threads started.
 */
const { BroadcastChannel, isMainThread } = require('node:worker_threads');

const channel = new BroadcastChannel('end-thread');
channel.unref();
const started = [];
process.on('worker', (worker) => started.push(worker));
const end = (workers) => {
  for (const worker of workers) worker.terminate();
};
if (isMainThread) {
  process.on('SIGUSR2', () => end(started.slice(1)));
  process.on('SIGHUP', () => channel.postMessage('end'));
} else channel.onmessage = () => end(started);
