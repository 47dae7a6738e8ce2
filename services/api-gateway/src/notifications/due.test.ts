import { decide, type Subscription, wordsOf } from './due';
import type { Problem } from './problems';

const minute = 60_000;
const start = Date.parse('2026-11-23T12:00:00Z');
const refused = (name: string): Problem => ({
  cause: 'sender_refused',
  key: `sender_refused:${name}`,
  text: `${name} is refused.`,
  path: '/connections',
});
const subscription = (open: Subscription['open'] = {}): Subscription => ({
  causes: ['sender_refused', 'dead_letter'],
  quiet_minutes: 60,
  open,
});

/** Looks at these problems one after the other, a number of minutes after the start each. */
function looks(steps: readonly (readonly [number, readonly Problem[]])[]): string[] {
  let open: Subscription['open'] = {};
  return steps.map(([minutes, problems]) => {
    const decision = decide(subscription(open), problems, start + minutes * minute);
    open = decision.open;
    return decision.notices
      .map(({ recovered, problems: said }) => (recovered ? 'recovered' : said.map(({ key }) => key).join('+')))
      .join(' ');
  });
}

const card = refused('gateway_card');
const erp = refused('generic/erp');

test('a problem is said once, not each minute', () => {
  expect(
    looks([
      [0, [card]],
      [1, [card]],
      [59, [card]],
      [61, [card]],
    ]),
  ).toEqual(['sender_refused:gateway_card', '', '', '']);
});

test('a further problem waits until the quiet time is over, and comes with the others', () => {
  expect(
    looks([
      [0, [card]],
      [5, [card, erp]],
      [60, [card, erp]],
    ]),
  ).toEqual(['sender_refused:gateway_card', '', 'sender_refused:gateway_card+sender_refused:generic/erp']);
});

test('a recovery is said once, after the quiet time; a problem that comes back meanwhile is the same one', () => {
  expect(
    looks([
      [0, [card]],
      [10, []],
      [20, [card]],
      [60, []],
      [61, []],
    ]),
  ).toEqual(['sender_refused:gateway_card', '', '', 'recovered', '']);
});

test('a problem that lasts is said again each day', () => {
  expect(
    looks([
      [0, [card]],
      [24 * 60 - 1, [card]],
      [24 * 60, [card]],
    ]),
  ).toEqual(['sender_refused:gateway_card', '', 'sender_refused:gateway_card']);
});

test('causes that nobody asked for are not said', () => {
  const ends: Problem = { cause: 'ends_soon', key: 'x', text: 'x', path: '/' };
  expect(decide(subscription(), [ends], start)).toEqual({ notices: [], open: {} });
});

test('the message has every problem, since when, and where to look', () => {
  const { notices } = decide(subscription(), [card, erp], start);
  const [notice] = notices;
  if (!notice) throw new Error('no message');
  expect(wordsOf(notice, 'https://shop.example')).toEqual({
    subject: 'A sender is refused repeatedly',
    body: '- gateway_card is refused.\n- generic/erp is refused.\n\nSince 2026-11-23T12:00:00.000Z. https://shop.example/connections',
  });
});
