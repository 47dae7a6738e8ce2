import { setTimeout as delay } from 'node:timers/promises';
import { inProcessBus } from '@order-automation/bus';
import { createLogger, systemClock } from '@order-automation/service';
import { demonstrationRule } from './demonstration';

// The first start on a busy machine ended with "rules.rule.create.v1 was not answered within 2500 ms".
test('rules that answer slowly do not end the first start', async () => {
  const bus = inProcessBus({ log: createLogger({ name: 'test', level: 'silent' }) });
  let asked = 0;
  await bus.respond('rules.active-versions.v1', async () => {
    asked += 1;
    await delay(2_700);
    return { revision: 1, generation: 1, versions: [], next: null };
  });
  await demonstrationRule(bus, systemClock);
  expect(asked).toBe(1);
  await bus.close();
}, 20_000);
