import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import express from 'express';

/**
 * What everything is measured against, each run as a process of its own: `node references.mjs N0|N1|E0|E1 <secret>`.
 * Reports its port to the parent.
 */

/** N0: node:http, the body drained, 200. */
function bareNode() {
  return createServer((req, res) => {
    req.resume();
    req.on('end', () => res.end('ok'));
  });
}

/** N1: node:http, the signature verified, 200. */
function signedNode(secret) {
  return createServer((req, res) => {
    const parts = [];
    req.on('data', (part) => parts.push(part));
    req.on('end', () => {
      const good = isSigned(req.headers['card-signature'], Buffer.concat(parts), secret);
      res.end(good ? '{"success":true}' : '{"success":false}');
    });
  });
}

function isSigned(header, body, secret) {
  const [, at, given] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? [];
  const wanted = createHmac('sha256', secret).update(`${at}.`).update(body).digest();
  return given !== undefined && timingSafeEqual(Buffer.from(given, 'hex'), wanted);
}

/** E0: express with nothing in it but a route, the body drained, express's own answer. */
function bareExpress() {
  const app = express();
  app.post('/v1/webhooks/gateway_card', (req, res) => {
    req.resume();
    req.on('end', () => res.json({ success: true }));
  });
  return createServer(app);
}

/** E1: the handler that one writes with express: raw body, signature, parse, answer; nothing stored. */
function idiomaticExpress(secret) {
  const app = express();
  app.post('/v1/webhooks/gateway_card', express.raw({ type: 'application/json', limit: '1mb' }), (req, res) => {
    if (!isSigned(req.get('Card-Signature'), req.body, secret)) return res.json({ success: false });
    const event = JSON.parse(req.body.toString('utf8'));
    res.json({ success: true, message: `1 event processed: ${event.type}`, events_processed: 1 });
  });
  return createServer(app);
}

const [, , which, secret] = process.argv;
const makers = { N0: bareNode, N1: signedNode, E0: bareExpress, E1: idiomaticExpress };
const server = makers[which](secret);
server.listen(0, '127.0.0.1', () => process.send({ type: 'listening', port: server.address().port }));
process.once('disconnect', () => process.exit(0));
