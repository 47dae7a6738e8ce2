import { observe } from './observe';

const now = Date.parse('2026-11-23T10:00:00Z');
const at = '2026-11-23T09:20:00.000Z';
const unverified = { at: now, through: null, problem: null };

const seenBy = async (ask: (type: string) => Promise<unknown>) => {
  const edge = { ask, now: () => now, licence: { expires_at: null } };
  return (await observe(edge as never, unverified)).seen;
};

test('the oldest unfinished event and the stuck deliveries are the figures that services count', async () => {
  const hosts = [{ host: 'erp.example.com', total: 1_358, since: at }];
  const figures: Record<string, unknown> = {
    'intake.figures.get.v1': { unfinished: 3, oldest_at: at, waiting: 0, verifying: 0, dead: 0, held: [] },
    'evaluation.figures.get.v1': { pending: 1_358, failed: 0, stuck: { total: 1_358, since: at, hosts } },
  };
  const seen = await seenBy(async (type) => figures[type] ?? Promise.reject(new Error('away')));
  expect(seen).toMatchObject({ oldestUnfinishedAt: Date.parse(at), stuckDeliveries: hosts });
});

test('a certificate that ends leads to the page where the next one is loaded', async () => {
  const certificates = [{ id: 'CERT-1', valid_to: at }];
  const figures: Record<string, unknown> = { 'intake.certificate.list.v1': { certificates } };
  const seen = await seenBy(async (type) => figures[type] ?? Promise.reject(new Error('away')));
  expect(seen.ends).toMatchObject([{ at: Date.parse(at), path: '/connections' }]);
});

test('a service that does not answer adds nothing', async () => {
  const seen = await seenBy(() => Promise.reject(new Error('away')));
  expect(seen).toMatchObject({ oldestUnfinishedAt: null, stuckDeliveries: [], deadLetters: [], endpoints: [] });
});
