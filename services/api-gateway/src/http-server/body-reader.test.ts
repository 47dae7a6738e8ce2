import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type BodyOutcome, bodyOverhead, bodyReader } from './body-reader';

/** A request whose pieces the test sends. */
function request(headers: Record<string, string> = {}) {
  return Object.assign(new EventEmitter(), { headers }) as unknown as IncomingMessage & EventEmitter;
}

function collected(reader: ReturnType<typeof bodyReader>, req: IncomingMessage, maxBytes = 1000) {
  const found: { outcome?: BodyOutcome; release: () => void } = { release: () => undefined };
  reader.collect(req, maxBytes, (outcome, release) => Object.assign(found, { outcome, release }));
  return found;
}

const one = Buffer.from('x');

test('a body in one piece is not copied; one in pieces has their bytes', () => {
  const reader = bodyReader({ maxBytesInFlight: 100_000 });
  const piece = Buffer.from('whole');
  const [whole, parts] = [request({ 'content-length': '5' }), request()];
  const first = collected(reader, whole);
  whole.emit('data', piece);
  whole.emit('end');
  expect(first.outcome?.kind === 'complete' && first.outcome.body).toBe(piece);
  const second = collected(reader, parts);
  for (const text of ['in ', 'three ', 'pieces']) parts.emit('data', Buffer.from(text));
  parts.emit('end');
  expect(second.outcome).toEqual({ kind: 'complete', body: Buffer.from('in three pieces') });
});

test('a million pieces of one byte hold one buffer of at most the limit, and nothing once it is passed', () => {
  const reader = bodyReader({ maxBytesInFlight: 10_000_000 });
  const req = request();
  collected(reader, req, 100_000);
  let most = 0;
  for (let sent = 0; sent < 1_000_000; sent += 1) {
    req.emit('data', one);
    most = Math.max(most, reader.bytesInFlight());
  }
  expect(most).toBe(100_000 + bodyOverhead);
  expect(reader.bytesInFlight()).toBe(0);
});

test('bodies are charged from the first byte over all connections, until they are released', () => {
  const reader = bodyReader({ maxBytesInFlight: 2 * bodyOverhead + 3000 });
  const [first, second, third] = [request(), request({ 'content-length': '900' }), request()];
  const held = collected(reader, first, 3000);
  first.emit('data', Buffer.alloc(2000));
  first.emit('end');
  const refused = collected(reader, second);
  second.emit('data', Buffer.alloc(900));
  second.emit('end');
  expect(held.outcome?.kind).toBe('complete');
  expect(refused.outcome).toEqual({ kind: 'overloaded', drained: true });
  held.release();
  held.release();
  expect(reader.bytesInFlight()).toBe(0);
  const taken = collected(reader, third);
  third.emit('data', Buffer.alloc(900));
  third.emit('end');
  expect(taken.outcome?.kind).toBe('complete');
});

test('without room for more the oldest body that dawdles makes way, and never one that is whole', () => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  const reader = bodyReader({ maxBytesInFlight: 10_000 });
  const [whole, slow, fresh, next] = [request({ 'content-length': '10' }), request(), request(), request()];
  const kept = collected(reader, whole);
  whole.emit('data', Buffer.alloc(10));
  whole.emit('end');
  const pushed = collected(reader, slow, 4096);
  slow.emit('data', one);
  const early = collected(reader, fresh, 4096);
  fresh.emit('data', one);
  expect(early.outcome).toBeUndefined();
  fresh.emit('end');
  expect(early.outcome).toEqual({ kind: 'overloaded', drained: true });
  now.mockReturnValue(2_000);
  const late = collected(reader, next, 4096);
  next.emit('data', one);
  next.emit('end');
  now.mockRestore();
  expect(pushed.outcome).toEqual({ kind: 'overloaded', drained: false });
  expect(late.outcome?.kind).toBe('complete');
  expect(kept.outcome?.kind).toBe('complete');
  kept.release();
  late.release();
  expect(reader.bytesInFlight()).toBe(0);
});

test('the slowest may be the one that asks for more', () => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  const reader = bodyReader({ maxBytesInFlight: 12_000 });
  const req = request();
  const found = collected(reader, req, 100_000);
  req.emit('data', Buffer.alloc(4000));
  now.mockReturnValue(60_000);
  req.emit('data', Buffer.alloc(9000));
  now.mockRestore();
  expect(found.outcome).toEqual({ kind: 'overloaded', drained: false });
  expect(reader.bytesInFlight()).toBe(0);
});

test.each([
  ['announced', { 'content-length': '1001' }, 1001],
  ['found', {}, 1001],
])('larger than allowed, %s: read to its end, so that the connection can go on', (_how, headers, size) => {
  const reader = bodyReader({ maxBytesInFlight: 100_000 });
  const req = request(headers as Record<string, string>);
  const found = collected(reader, req);
  req.emit('data', Buffer.alloc(size));
  expect(reader.bytesInFlight()).toBe(0);
  req.emit('end');
  expect(found.outcome).toEqual({ kind: 'too_large', drained: true });
});

test('far larger than allowed is not read to its end', () => {
  const reader = bodyReader({ maxBytesInFlight: 100_000 });
  expect(collected(reader, request({ 'content-length': '1000000000' })).outcome).toEqual({
    kind: 'too_large',
    drained: false,
  });
});

test('a sender that takes too long or leaves holds nothing any more', async () => {
  const reader = bodyReader({ maxBytesInFlight: 100_000, timeout: 1 });
  const [slow, gone] = [request(), request()];
  slow.emit('data', one);
  const outcome = await new Promise<BodyOutcome>((resolve) => reader.collect(slow, 1000, resolve));
  expect(outcome).toEqual({ kind: 'too_slow', drained: false });
  const left = collected(reader, gone);
  gone.emit('data', one);
  gone.emit('close');
  expect(left.outcome).toEqual({ kind: 'aborted' });
  expect(reader.bytesInFlight()).toBe(0);
});
