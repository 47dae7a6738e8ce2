import { limits, type Observations, problemsOf, streaksAfter } from './problems';

const now = Date.parse('2026-11-23T12:00:00Z');
const minute = 60_000;
const quiet: Observations = {
  deadLetters: [],
  failedDeliveries: [],
  stuckDeliveries: [],
  endpoints: [],
  oldestUnfinishedAt: null,
  money: [],
  verification: null,
  ends: [],
};
const found = (seen: Partial<Observations>, streaks = {}) => problemsOf({ ...quiet, ...seen }, streaks, now);

test('where nothing is wrong there is no problem', () => {
  expect(found({ verification: null, oldestUnfinishedAt: now - minute })).toEqual([]);
});

test('what was given up in the last hour is one problem with the newest reason', () => {
  const deadLetters = [
    { at: now - 90 * minute, reason: 'old' },
    { at: now - 10 * minute, reason: 'older' },
    { at: now - 5 * minute, reason: 'the order has no currency' },
  ];
  expect(found({ deadLetters })).toEqual([
    {
      cause: 'dead_letter',
      key: `dead_letter:${now - 5 * minute}`,
      text: '2 events were given up in the last 1 hour. The newest: the order has no currency',
      path: '/events?state=dead',
    },
  ]);
});

test('each host that takes no deliveries is a problem with how many wait for it and how long', () => {
  const since = new Date(now - 40 * minute).toISOString();
  const stuckDeliveries = [
    { host: 'erp.example.com', total: 1_000, since },
    { host: 'crm.example.com', total: 1, since },
  ];
  expect(found({ stuckDeliveries })).toEqual([
    {
      cause: 'deliveries_stuck',
      key: 'deliveries_stuck:erp.example.com',
      text: '1000 deliveries wait for erp.example.com, which does not accept them: the oldest for 40 minutes.',
      path: '/deliveries?state=pending',
    },
    {
      cause: 'deliveries_stuck',
      key: 'deliveries_stuck:crm.example.com',
      text: '1 delivery waits for crm.example.com, which does not accept it: the oldest for 40 minutes.',
      path: '/deliveries?state=pending',
    },
  ]);
});

test('an event that waits too long', () => {
  expect(found({ oldestUnfinishedAt: now - limits.unfinished })[0]?.text).toContain('10 minutes');
});

test('refusals in a row are counted between looks, and a webhook that is accepted ends the row', () => {
  const endpoint = (accepted: number, refused: number) => [
    {
      name: 'gateway_card',
      counts: { accepted, refused, duplicates: 0 },
      last_refusal: { at: '2026-11-23T11:59:00.000Z', code: 'signature_mismatch', text: 'No live secret matches.' },
    },
  ];
  const first = streaksAfter({}, endpoint(5, 100));
  const second = streaksAfter(first, endpoint(5, 106));
  const third = streaksAfter(second, endpoint(5, 112));
  expect([first, second, third].map(({ gateway_card }) => gateway_card?.inARow)).toEqual([0, 6, 12]);
  expect(found({ endpoints: endpoint(5, 112) }, third)[0]?.text).toBe(
    'The last 12 webhooks from the card gateway were refused: No live secret matches.',
  );
  expect(streaksAfter(third, endpoint(6, 120)).gateway_card?.inARow).toBe(0);
});

test('a log that does not verify names the entry', () => {
  const verification = { reason: 'an entry was edited', firstBadId: 42 };
  expect(found({ verification })[0]?.text).toBe('The log fails verification at entry 42: an entry was edited.');
});

test('ends are announced 14 days ahead, and said again once they are past', () => {
  const day = 24 * 60 * minute;
  const ends = [
    { what: 'The licence', at: now + 20 * day },
    { what: 'A secret of gateway_card', at: now + 3 * day },
    { what: 'Certificate CERT-1', at: now - day },
  ];
  expect(found({ ends }).map(({ text }) => text)).toEqual([
    'A secret of gateway_card ends on 2026-11-26, in 3 days.',
    'Certificate CERT-1 ended on 2026-11-22.',
  ]);
});

test('a secret that ends is said in the words of its sender, with the page that shows it', () => {
  const text = 'The last secret of erp (…abcd) ends on 2026-11-24T12:00:00.000Z: give it a new one.';
  const ends = [{ what: 'A secret of erp', at: now + 24 * 60 * minute, text, path: '/connections' }];
  expect(found({ ends })).toMatchObject([{ cause: 'ends_soon', text, path: '/connections' }]);
});

// docs/guide/notifications.md, "where to look"
test('each leads to the page that shows it', () => {
  const pathOf = (seen: Partial<Observations>) => found(seen)[0]?.path;
  expect(pathOf({ oldestUnfinishedAt: now - limits.unfinished })).toBe('/events?state=accepted');
  expect(pathOf({ verification: { reason: null, firstBadId: null } })).toBe('/settings?part=log');
  expect(pathOf({ ends: [{ what: 'The licence', at: now }] })).toBe('/settings?part=licence');
});
