import type { Bus } from '@order-automation/bus';
import type { Occurrence } from '@order-automation/contracts';
import { disabledRulesPort } from './disabled-rules';

test('an answer counts for some seconds, and no longer than the rules are the same', async () => {
  let asked = 0;
  let now = 0;
  let rules = {};
  const request = async () => {
    asked += 1;
    return { rules: [], total: asked };
  };
  const bus = { request } as unknown as Bus;
  const disabled = disabledRulesPort(bus, { now: () => now }, () => rules);
  const total = async () => (await disabled({ type: 'payment_completed' } as Occurrence))?.total;
  expect([await total(), await total()]).toEqual([1, 1]);
  rules = {};
  expect(await total()).toBe(2);
  now = 5_001;
  expect(await total()).toBe(3);
});
