import { randomFillSync } from 'node:crypto';

/** Crockford's base 32. */
const digits = [...'0123456789ABCDEFGHJKMNPQRSTVWXYZ'];
const pairs = digits.flatMap((first) => digits.map((second) => first + second));
const longestTime = 2 ** 48 - 1;
const halfBits = 2 ** 40;

/** `value` in so many pairs of digits, the highest first. */
function encoded(value: number, count: number): string {
  let text = '';
  let rest = value;
  for (let left = count; left > 0; left -= 1) {
    text = (pairs[rest % 1024] as string) + text;
    rest = Math.floor(rest / 1024);
  }
  return text;
}

/** The ten digits that every ULID of this millisecond begins with. Throws a RangeError for what is no time. */
export function ulidTime(now: number): string {
  if (!Number.isInteger(now) || now < 0 || now > longestTime) throw new RangeError(`${now} is no time of a ULID`);
  return encoded(now, 5);
}

const pool = new Uint32Array(256);
let drawn = pool.length;

/** 32 random bits, drawn from the system in blocks. */
function random32(): number {
  if (drawn === pool.length) {
    randomFillSync(pool);
    drawn = 0;
  }
  const bits = pool[drawn] ?? 0;
  drawn += 1;
  return bits;
}

const random40 = (): number => random32() * 256 + (random32() & 255);

/**
 * Makes ULIDs (github.com/ulid/spec) that sort as they were made: 48 bits of time and 80 random ones, which in the same millisecond, or
 * when the clock goes back, count on by one. What few ids of one millisecond have in common is encoded once.
 */
export function ulidFactory(): (now: number) => string {
  let time = -1;
  let high = 0;
  let low = 0;
  let begin = '';

  const beginAt = (now: number): void => {
    begin = ulidTime(now) + encoded(high, 4);
    time = now;
  };

  return (now) => {
    if (now > time) {
      high = random40();
      low = random40();
      beginAt(now);
    } else if (low + 1 < halfBits) low += 1;
    else {
      high += 1;
      low = 0;
      beginAt(time);
    }
    return begin + encoded(low, 4);
  };
}
