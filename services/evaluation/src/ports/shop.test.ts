import { type Bus, BusError } from '@order-automation/bus';
import { waitsForShop } from '../attempts/failures';
import { shopPort } from './shop';

test('a shop that is too slow is unavailable to each event, and the log says so once', async () => {
  let answer: () => Promise<unknown> = () => Promise.reject(new BusError('timeout', 'late'));
  const told: string[] = [];
  const outage = {
    failed: (error: unknown, waiting: number) => void told.push(`${(error as Error).message} ${waiting}`),
    recovered: () => void told.push('recovered'),
  };
  const shop = shopPort({ request: () => answer() } as unknown as Bus, outage);
  for (const id of [1, 2]) {
    const error = await shop.get(id).catch((one: unknown) => one);
    expect(waitsForShop(error)).toBe(true);
  }
  expect(told).toEqual([1, 2].map((count) => `The shop did not answer within 8 seconds. ${count}`));
  answer = async () => ({ orders: [] });
  expect(await shop.get(1)).toBeNull();
  // One answer in time, right after others that were late, is no change of state yet.
  expect(told).toHaveLength(2);
  answer = () => Promise.reject(new BusError('unavailable', 'no connection'));
  await expect(shop.get(1)).rejects.toThrow('no connection');
});
