import { recoveredText } from './recovered';

const now = Date.parse('2026-03-01T12:00:00.000Z');
const at = (time: string) => `2026-03-01T${time}:00.000Z`;
const gap = { gateway: 'gateway_card', from: at('10:02'), to: at('11:01'), asking: false, asked_until: at('11:55') };
const text = (counts: { total: number; done: number; waiting: number; dead: number }, more = {}) =>
  recoveredText({ ...gap, ...counts, ...more }, now, 'UTC');

test.each([
  [
    text({ total: 1_412, done: 1_412, waiting: 0, dead: 0 }),
    '1,412 events that the card gateway sent between 10:02:00 and 11:01:00 never arrived here or were refused. All were fetched from its list of events and are done. Everything it sent up to 11:55:00 is here now.',
  ],
  [
    text({ total: 1, done: 1, waiting: 0, dead: 0 }, { to: gap.from }),
    '1 event that the card gateway sent at 10:02:00 never arrived here or was refused. It was fetched from its list of events and is done. Everything it sent up to 11:55:00 is here now.',
  ],
  [
    text({ total: 9, done: 5, waiting: 1, dead: 1 }, { asking: true, asked_until: at('11:20') }),
    '9 events that the card gateway sent between 10:02:00 and 11:01:00 never arrived here or were refused. All were fetched from its list of events: 5 are done, 1 waits for its order, 1 was given up, 2 are not done yet. It is still being asked: everything it sent up to 11:20:00 is here.',
  ],
])('what a gap has swallowed, in three sentences', (said, expected) => {
  expect(said).toBe(expected);
});
