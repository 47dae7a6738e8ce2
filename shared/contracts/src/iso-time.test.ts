import { isoTime } from './iso-time';

test('is what a Date says, also the second time and after another', () => {
  for (const time of [0, 1_768_471_200_000, 1_768_471_200_000, 1_768_471_200_001, -1, 0])
    expect(isoTime(time)).toBe(new Date(time).toISOString());
});

test('what is no time is refused, and what came before is forgotten by nobody', () => {
  isoTime(5);
  expect(() => isoTime(Number.NaN)).toThrow(RangeError);
  expect(isoTime(5)).toBe(new Date(5).toISOString());
});
