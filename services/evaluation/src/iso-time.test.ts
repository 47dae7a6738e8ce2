import { isoTime } from './iso-time';

test('is the time that was asked for, also when another was asked for before', () => {
  const times = [0, 0, 1_767_323_045_000, 0, 1_767_323_045_001];
  expect(times.map(isoTime)).toEqual(times.map((time) => new Date(time).toISOString()));
});
