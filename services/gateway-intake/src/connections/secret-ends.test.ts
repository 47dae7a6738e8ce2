import type { LiveSecret } from '../gateways/connection';
import { endingSecrets, endingText, lastEnd, secretEnds } from './secret-ends';

test.each([
  ['no secret', [], null],
  ['one without an end', [null], null],
  ['a newer one without an end', [null, 100], null],
  ['the last of several', [300, 100], 300],
])('%s', (_title, ends, last) => {
  expect(lastEnd(ends)).toBe(last);
});

const day = 24 * 3_600_000;
const now = Date.parse('2026-11-23T12:00:00Z');
const secret = (id: string, days: number | null): LiveSecret => ({
  id,
  value: `secret-of-16-chars-${id}`,
  expiresAt: days === null ? null : now + days * day,
});
/** The endings of a sender with these secrets, whose last uses are so many days ago. */
const endings = (secrets: readonly LiveSecret[], uses: Readonly<Record<string, number>> = {}) => {
  const lastUse = ({ id = '' }: LiveSecret) => (uses[id] === undefined ? null : now - uses[id] * day);
  return endingSecrets(secrets, { lastUse, now });
};
const idsOf = (...args: Parameters<typeof endings>) => endings(...args).map(({ secret: { id } }) => id);

describe('a secret that ends soon', () => {
  test.each([
    ['the only one, in 13 days', [secret('a', 13)], {}, ['a']],
    ['the only one, in 15 days', [secret('a', 15)], {}, []],
    ['without an end', [secret('a', null)], {}, []],
    ['the older one, still in use', [secret('new', null), secret('old', 1)], { old: 0.1 }, ['old']],
    ['the older one, and neither was used', [secret('new', null), secret('old', 1)], {}, ['old']],
    ['the older one, the new one is in use', [secret('new', null), secret('old', 1)], { old: 1, new: 0.1 }, []],
    ['both soon: the last one', [secret('new', 5), secret('old', 1)], { old: 1, new: 0.1 }, ['new']],
  ])('%s', (_title, secrets, uses, ids) => {
    expect(idsOf(secrets, uses)).toEqual(ids);
  });

  test('is said to be the last one, or in use; nothing but four characters of it is said, and to strangers not even these', () => {
    const [last] = endings([secret('a', 1)]);
    const [used] = endings([secret('new', null), secret('old', 1)], { old: 0 });
    if (!last || !used) throw new Error('no warning');
    expect(endingText(last, 'gateway_card')).toBe(
      'The last secret of gateway_card (…rs-a) ends on 2026-11-24 12:00 UTC: give it a new one, or every webhook is refused after that.',
    );
    expect(endingText(used, 'gateway_card')).toContain('no newer one has been used since');
    expect(endingText(last, 'gateway_card', false)).not.toContain('…');
  });

  test('once all have ended, the last one is warned of until there is another; a removed one is not', () => {
    const [over, ...more] = endings([secret('a', -1), secret('b', -2)]);
    expect([over?.secret.id, over?.isOver, more.length]).toEqual(['a', true, 0]);
    if (over) expect(endingText(over, 'erp')).toContain('ended on 2026-11-22 12:00 UTC: every webhook is refused');
    expect(endings([{ ...secret('a', -1), removed: true }])).toEqual([]);
  });
});

test('what is measured is when the last secret ends that nobody removed', () => {
  const senders = [
    { endpoint: 'gateway_card', secrets: [secret('a', 1), { ...secret('b', 3), removed: true as const }] },
    { endpoint: 'generic/erp', secrets: [secret('c', null), secret('d', 1)] },
  ];
  expect([...secretEnds(senders)]).toEqual([['gateway_card', now + day]]);
});
