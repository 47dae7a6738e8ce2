import { type Call, problem } from './replies';
import type { Fault } from './server';

/** The faults of a hosting that is at its limits, in equal parts. */
const kinds: readonly Fault[] = [
  { reply: problem(500, 'internal_server_error', 'There has been a critical error on this website.') },
  { reply: { status: 429, body: '', headers: { 'Retry-After': '1' } } },
  'cut_before',
  'cut',
  { slow: 1_500 },
];

/** Faults for that part of the calls (0 to 1), the same for the same seed. */
export function randomFaults(
  rate: number,
  seed: number,
  among: readonly Fault[] = kinds,
): (call: Call) => Fault | undefined {
  const next = random(seed);
  return () => (next() < rate ? among[Math.floor(next() * among.length)] : undefined);
}

/** Mulberry32: numbers from 0 to 1. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
