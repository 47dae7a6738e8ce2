import { connect } from 'node:net';
import { cardPayment, cardSignature } from '../services/run/test/card-webhook.js';

/**
 * The load generator, a process of its own so that it costs the measured one nothing: keep-alive sockets, one request in flight on
 * each, requests signed and serialised beforehand. Takes jobs from its parent over IPC and answers each with its figures:
 * `{port, secret, prefix, count, connections, orders: [id], rate?}` -> `{startedAt, seconds, accepted, refused, p50, p99}` (milliseconds since the epoch, seconds, counts,
 * milliseconds).
 * With `rate` (requests a second) requests start on a schedule, and latency counts from when each was due: a server that stalls is charged
 * for those that had to wait for a connection, and never for a timer of ours that came late.
 */

function requests({ secret, prefix, count, orders, port }) {
  const created = Math.floor(Date.now() / 1000);
  return Array.from({ length: count }, (_, index) => {
    const { body } = cardPayment({ key: `${prefix}${index}`, orderId: orders[index % orders.length], created });
    const head = [
      'POST /v1/webhooks/gateway_card HTTP/1.1',
      `Host: 127.0.0.1:${port}`,
      'Content-Type: application/json',
      `Card-Signature: ${cardSignature(secret, body, created)}`,
      `Content-Length: ${body.length}`,
    ].join('\r\n');
    return Buffer.concat([Buffer.from(`${head}\r\n\r\n`), body]);
  });
}

/** Length of the whole first response in the text, or undefined while it is incomplete. */
function responseLength(text) {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end + 2));
  if (!length) throw new Error(`a response without Content-Length: ${text.slice(0, end)}`);
  const total = end + 4 + Number(length[1]);
  return text.length >= total ? total : undefined;
}

/** One keep-alive connection. `take` gives the next `{request, due}`, or nothing more; `done` gets each answer. */
function drive(port, take, done) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let text = '';
    let current;
    const next = () => {
      current = take();
      if (!current) return socket.end();
      const wait = current.due - performance.now();
      current.since = current.due;
      if (wait <= 0) return socket.write(current.request);
      setTimeout(() => {
        current.since = performance.now();
        socket.write(current.request);
      }, wait);
    };
    socket.setEncoding('latin1');
    socket.on('connect', next);
    socket.on('data', (chunk) => {
      text += chunk;
      try {
        const total = responseLength(text);
        if (total === undefined) return;
        done(current, text.startsWith('HTTP/1.1 200 '), text);
        text = text.slice(total);
        next();
      } catch (error) {
        socket.destroy(error);
      }
    });
    socket.on('error', reject);
    socket.on('close', () => (current ? reject(new Error('the connection was closed during the request')) : resolve()));
  });
}

function percentile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

async function run(job) {
  const all = requests(job);
  const latencies = new Float64Array(all.length);
  let taken = 0;
  let answered = 0;
  let accepted = 0;
  const startedAt = Date.now();
  const start = performance.now();
  const take = () => {
    if (taken === all.length) return undefined;
    const index = taken++;
    return { request: all[index], due: job.rate ? start + (index * 1000) / job.rate : performance.now() };
  };
  const done = ({ since }, ok, text) => {
    latencies[answered++] = performance.now() - since;
    if (ok && !text.includes('"success":false')) accepted += 1;
  };
  await Promise.all(Array.from({ length: job.connections }, () => drive(job.port, take, done)));
  const seconds = (performance.now() - start) / 1000;
  latencies.sort();
  const [p50, p99] = [0.5, 0.99].map((share) => percentile(latencies, share));
  return { startedAt, seconds, accepted, refused: all.length - accepted, p50, p99 };
}

process.on('message', (job) => {
  run(job).then(
    (figures) => process.send({ type: 'figures', ...figures }),
    (error) => process.send({ type: 'failed', message: String(error?.stack ?? error) }),
  );
});
process.once('disconnect', () => process.exit(0));
