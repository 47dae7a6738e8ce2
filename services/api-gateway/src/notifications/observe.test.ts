import { observe } from './observe';

const begun = Date.parse('2026-11-23T10:00:00Z');

/** Intake with so many accepted events, one a second, listed newest first. */
const intakeWith = (total: number) => (type: string, input: { page?: number; per_page?: number }) => {
  if (type !== 'intake.event.list.v1') return Promise.reject(new Error('away'));
  const { page = 1, per_page = 1 } = input;
  const newest = total - 1 - (page - 1) * per_page;
  const ages = Array.from({ length: Math.min(per_page, newest + 1) }, (_, index) => newest - index);
  const events = ages.map((second) => ({ received_at: new Date(begun + second * 1_000).toISOString() }));
  return Promise.resolve({ events, pagination: { total } });
};

test.each([[1], [200], [201], [5_000]])('of %d events that are not finished the oldest is known', async (total) => {
  const edge = { ask: intakeWith(total), now: () => begun, licence: { expires_at: null } };
  const { seen } = await observe(edge as never, { at: begun, through: null, problem: null } as never);
  expect(seen.oldestUnfinishedAt).toBe(begun);
});
