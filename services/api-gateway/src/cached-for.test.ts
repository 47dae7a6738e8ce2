import { cachedFor } from './cached-for';

test('calls within its life share one answer, a failure too', async () => {
  let calls = 0;
  const ask = cachedFor(60_000, async () => {
    calls += 1;
    throw new Error(`call ${calls}`);
  });
  for (let turn = 0; turn < 3; turn += 1) await expect(ask()).rejects.toThrow('call 1');
  const fresh = cachedFor(0, async () => (calls += 1));
  expect([await fresh(), await fresh()]).toEqual([2, 3]);
});
