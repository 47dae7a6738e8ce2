import { decodeTime, encodeTime, isValid } from 'ulid';
import { ulidFactory, ulidTime } from './ulid';

const now = 1_768_471_200_000;

test('is a ULID of its time', () => {
  const id = ulidFactory()(now);
  expect(isValid(id)).toBe(true);
  expect(decodeTime(id)).toBe(now);
});

test.each([0, 1, 31, 1023, 1024, now, 2 ** 48 - 1])('the time %s is written as others write it', (time) => {
  expect(ulidTime(time)).toBe(encodeTime(time, 10));
});

test.each([-1, 1.5, Number.NaN, 2 ** 48])('%s is no time', (time) => {
  expect(() => ulidTime(time)).toThrow(RangeError);
});

test('sorts as it was made within a millisecond, and when the clock goes back', () => {
  const ulid = ulidFactory();
  const ids = [now, now, now, now - 5, now + 1, now].map(ulid);
  expect([...new Set(ids)].sort()).toEqual(ids);
});

test('two makers never agree', () => {
  const [one, other] = [ulidFactory(), ulidFactory()];
  const times = Array.from({ length: 2_000 }, (_, index) => now + index);
  expect(new Set([...times.map(one), ...times.map(other)]).size).toBe(4_000);
});
