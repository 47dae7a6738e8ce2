import type { IncomingMessage } from 'node:http';
import pino from 'pino';
import { forwardedWatch } from './forwarded-watch';

const request = (headers: Record<string, string>) => ({ headers }) as unknown as IncomingMessage;
const forwarded = request({ 'x-forwarded-for': '203.0.113.5' });

function watched(trustedProxies: number) {
  const lines: string[] = [];
  const watch = forwardedWatch(trustedProxies, pino({}, { write: (line) => lines.push(line) }));
  return { watch, lines };
}

test('a proxy that nobody trusts is told once, and stays known', () => {
  const { watch, lines } = watched(0);
  watch.note(request({}));
  expect(watch.warning()).toBeNull();
  watch.note(forwarded);
  watch.note(forwarded);
  expect(lines).toHaveLength(1);
  expect(watch.warning()).toContain('TRUST_PROXY');
});

test('a trusted proxy is no news', () => {
  const { watch, lines } = watched(1);
  watch.note(forwarded);
  expect(watch.warning()).toBeNull();
  expect(lines).toEqual([]);
});
