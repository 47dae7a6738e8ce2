import { closeSync, openSync, writeSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { cardPayment, cardSignature } from './card-webhook.js';

/**
 * A card gateway that does not give up: sends each webhook again and again, unchanged, until it hears `success: true`, and only then
 * writes it into the ledger. A program of its own, so that nothing it knows comes from the product.
 * `node kill-sender.mjs '{"port","secret","prefix","count","connections","firstOrder","orders","ledger","allowed"}'`; hears `{allowed}` from
 * its parent, and tells it `{acknowledged}` as it goes and `{acknowledged, attempts, duplicates, done: true}` at the end.
 */
const options = JSON.parse(process.argv[2]);
const { port, secret, prefix, count, connections, firstOrder, orders } = options;
/** Webhooks that may be sent so far: the parent raises it, so that there are some left for each kill. */
let { allowed } = options;
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const ledger = openSync(options.ledger, 'a');

let taken = 0;
let acknowledged = 0;
let attempts = 0;
let duplicates = 0;

/** The parsed answer; undefined when there was none, or none that can be read. */
function post(body) {
  return new Promise((resolve) => {
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': body.length,
      'Card-Signature': cardSignature(secret, body, Math.floor(Date.now() / 1000)),
    };
    const path = '/v1/webhooks/gateway_card';
    const outgoing = request(
      { host: '127.0.0.1', port, path, method: 'POST', headers, agent, timeout: 10_000 },
      (answer) => {
        const parts = [];
        answer.on('data', (part) => parts.push(part));
        answer.on('error', () => resolve(undefined));
        answer.on('end', () => {
          try {
            resolve(JSON.parse(Buffer.concat(parts).toString('utf8')));
          } catch {
            resolve(undefined);
          }
        });
      },
    );
    outgoing.on('timeout', () => outgoing.destroy());
    outgoing.on('error', () => resolve(undefined));
    outgoing.end(body);
  });
}

async function sendUntilAcknowledged(index) {
  const order = firstOrder + (index % orders);
  const { transaction, body } = cardPayment({
    key: `${prefix}${index}`,
    orderId: order,
    created: Math.floor(Date.now() / 1000),
  });
  for (let pause = 20; ; pause = Math.min(pause * 2, 500)) {
    attempts += 1;
    const answer = await post(body);
    if (answer?.success === true) {
      if (answer.duplicate === true) duplicates += 1;
      writeSync(ledger, `${JSON.stringify({ transaction, order, process_id: answer.process_id })}\n`);
      return;
    }
    await delay(pause);
  }
}

async function worker() {
  while (taken < count) {
    if (taken >= allowed) {
      await delay(5);
      continue;
    }
    await sendUntilAcknowledged(taken++);
    acknowledged += 1;
    if (acknowledged % 20 === 0 || acknowledged === allowed) process.send({ acknowledged });
  }
}

process.on('message', (message) => {
  allowed = message.allowed;
});
process.once('disconnect', () => process.exit(1));
await Promise.all(Array.from({ length: connections }, worker));
closeSync(ledger);
process.send({ acknowledged, attempts, duplicates, done: true }, () => process.exit(0));
