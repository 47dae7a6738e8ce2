import { createHmac } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * What `deploy/try-cluster` does inside a pod: `node --input-type=module - COMMAND '{…}' < try-cluster.mjs`.
 *   set-up  {first, orders}            imports orders, replaces all rules by one that writes a note for each payment
 *   send    {first, orders, rate}      sends signed webhooks until /tmp/stop exists, each again until it is acknowledged; prints what it counted
 *   judge   {first, orders}            waits until each acknowledged webhook has its note; prints how many are lost and doubled
 *   verify                             prints whether the log is valid
 *   reach   [host:port, …]             prints which of them take a TCP connection
 * EDGE is the address of the edge; CARD_SECRET and PASSWORD are those of the release.
 */
const [, , command, options = '{}'] = process.argv;
const { first, orders, rate } = JSON.parse(options);
const { EDGE, CARD_SECRET, PASSWORD } = process.env;
const ledger = `/tmp/ledger-${first}.json`;
const marker = `paid ${first} `;
/** Connections are closed after two idle seconds: no client can tell whether one that was idle for longer is about to be closed by the server. */
const agent = new Agent({ keepAlive: true, maxSockets: 64, timeout: 2_000 });

/** `{status, text}` of the answer; rejects when nothing came for so many seconds. */
function call(method, path, headers, body, timeoutSeconds = 15) {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${EDGE}${path}`,
      { method, agent, headers, timeout: timeoutSeconds * 1_000 },
      (answer) => {
        const parts = [];
        answer.on('data', (part) => parts.push(part));
        answer.on('error', reject);
        answer.on('end', () => resolve({ status: answer.statusCode, text: Buffer.concat(parts).toString('utf8') }));
      },
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${timeoutSeconds} s`)));
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** A request of the administrator: `body` is sent as JSON, a text as lines of JSON. */
async function administer(method, path, body) {
  const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json';
  const authorization = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;
  const headers = {
    authorization,
    'X-Forwarded-Proto': 'https',
    ...(body === undefined ? {} : { 'Content-Type': type }),
  };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const ask = () => call(method, `/v1${path}`, headers, body === undefined ? undefined : text, 120);
  let answer = await ask();
  // An import that is sent again imports the same.
  const isRepeatable = method === 'GET' || path === '/shop/import';
  for (let again = 0; isRepeatable && answer.status === 503 && again < 30; again += 1) {
    await delay(1_000);
    answer = await ask();
  }
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
  return JSON.parse(answer.text.trimEnd().split('\n').at(-1));
}

const orderIds = () => Array.from({ length: orders }, (_, index) => first + index);

async function setUp() {
  const date = '2026-01-01T00:00:00Z';
  const fixed = { status: 'pending', currency: 'USD', total: '49.00', date_created: date, date_modified: date };
  const lines = orderIds().map((id) => {
    const lineItems = [{ id: 1, name: 'A thing', product_id: 1, quantity: 1, total: '49.00' }];
    const data = {
      id,
      number: String(id),
      ...fixed,
      payment_method: 'card',
      billing: {},
      shipping: {},
      line_items: lineItems,
    };
    return `${JSON.stringify({ type: 'order', data })}\n`;
  });
  const { imported } = await administer('POST', '/shop/import', lines.join(''));
  if (imported !== orders) throw new Error(`${imported} of ${orders} orders were imported`);
  const settings = { note_text: `${marker}{{event.transaction_id}}`, is_customer_note: false, add_timestamp: false };
  const rule = {
    trigger: { id: 'order_processing', settings: {} },
    conditions: [],
    primaryAction: null,
    secondaryActions: [{ id: 'add_order_note', settings }],
  };
  const name = `A note for each payment from ${first} on`;
  // A request whose answer was lost may have done its work: what counts is the list of rules.
  for (;;) {
    const { rules } = await administer('GET', '/rules');
    const others = rules.filter(
      (one, index) => one.name !== name || rules.findIndex((it) => it.name === name) !== index,
    );
    if (rules.length === 1 && others.length === 0) break;
    for (const { id } of others) await administer('DELETE', `/rules/${id}`).catch(() => undefined);
    if (rules.length === others.length)
      await administer('POST', '/rules', { name, enabled: true, rule }).catch(() => undefined);
  }
  console.log('set up');
}

/** One webhook, the same bytes again until it is acknowledged. */
async function deliver(index, counts) {
  const order = first + (index % orders);
  const transaction = `pi_${first}x${index}`;
  const object = { id: transaction, amount: 4900, currency: 'usd', metadata: { order_id: String(order) } };
  const body = JSON.stringify({
    id: `evt_${first}x${index}`,
    livemode: true,
    type: 'payment_intent.succeeded',
    data: { object },
  });
  const began = performance.now();
  for (let pause = 50; ; pause = Math.min(2 * pause, 1_000)) {
    const at = Math.floor(Date.now() / 1000);
    const signature = createHmac('sha256', CARD_SECRET).update(`${at}.${body}`).digest('hex');
    const headers = { 'Content-Type': 'application/json', 'Card-Signature': `t=${at},v1=${signature}` };
    try {
      const { text } = await call('POST', '/v1/webhooks/gateway_card', headers, body);
      if (JSON.parse(text).success === true) break;
      counts.refused += 1;
      counts.answers.add(text.slice(0, 200));
    } catch (error) {
      counts.cut += 1;
      counts.answers.add(error.message);
    }
    await delay(pause);
  }
  counts.took.push(performance.now() - began);
  counts.acknowledged.push({ order, transaction });
}

async function send() {
  rmSync('/tmp/stop', { force: true });
  const counts = { refused: 0, cut: 0, answers: new Set(), took: [], acknowledged: [] };
  const inFlight = new Set();
  const began = performance.now();
  for (let index = 0; !existsSync('/tmp/stop') && index < 60_000; index += 1) {
    const due = began + (index * 1000) / rate - performance.now();
    if (due > 0) await delay(due);
    const delivery = deliver(index, counts).finally(() => inFlight.delete(delivery));
    inFlight.add(delivery);
  }
  const seconds = (performance.now() - began) / 1000;
  await Promise.all(inFlight);
  const { refused, cut, answers, took, acknowledged } = counts;
  took.sort((a, b) => a - b);
  const at = (part) => Math.round(took[Math.floor(took.length * part)] ?? 0);
  writeFileSync(ledger, JSON.stringify(acknowledged));
  const speed = `${(acknowledged.length / seconds).toFixed(0)}/s, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(0.99999)} ms`;
  console.log(`sent ${acknowledged.length}, refused ${refused}, cut ${cut} (${speed})`);
  for (const answer of [...answers].slice(0, 5)) console.log(`  ${answer}`);
}

async function judge() {
  const acknowledged = JSON.parse(readFileSync(ledger, 'utf8'));
  const deadline = Date.now() + 300_000;
  for (;;) {
    const found = new Map();
    for (const id of orderIds()) {
      const { notes } = await administer('GET', `/shop/orders/${id}`);
      for (const { note } of notes.filter((one) => one.note.startsWith(marker))) {
        const transaction = note.slice(marker.length);
        found.set(transaction, [...(found.get(transaction) ?? []), id]);
      }
    }
    const lost = acknowledged.filter(({ transaction, order }) => !found.get(transaction)?.includes(order));
    const doubled = [...found].filter(([, on]) => on.length > 1);
    if (lost.length === 0 || Date.now() > deadline) {
      console.log(`lost ${lost.length}, doubled ${doubled.length} of ${acknowledged.length}`);
      return;
    }
    await delay(2_000);
  }
}

async function verify() {
  const { valid, checked, reason } = await administer('GET', '/audit-log/verify');
  console.log(`valid ${valid}: ${checked} entries${reason ? `, ${reason}` : ''}`);
}

/** Whether the address takes a connection within three seconds. */
function reachable(address) {
  const [host, port] = address.split(':');
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port), timeout: 3_000 });
    const end = (answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket
      .on('connect', () => end(true))
      .on('timeout', () => end(false))
      .on('error', () => end(false));
  });
}

async function reach() {
  const addresses = JSON.parse(options);
  const answers = await Promise.all(addresses.map(reachable));
  console.log(`reached: ${addresses.filter((_, index) => answers[index]).join(' ') || 'nothing'}`);
}

await { 'set-up': setUp, send, judge, verify, reach }[command]();
agent.destroy();
