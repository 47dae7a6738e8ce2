import { ServiceError } from '@order-automation/contracts';
import { inProcessBus } from './in-process-bus';
import { nearBus } from './near-bus';

function buses() {
  const far = inProcessBus();
  const asked: string[] = [];
  const bus = nearBus({
    ...far,
    request: (type, input, options) => {
      asked.push(type);
      return far.request(type, input, options);
    },
  });
  return { far, bus, asked };
}

const status = { ready: true, reason: null, adapters: [] };

test('who answers here is asked here, and from over there too', async () => {
  const { far, bus, asked } = buses();
  await bus.respond('intake.status.v1', async () => status);
  await expect(bus.request('intake.status.v1', {})).resolves.toEqual(status);
  expect(asked).toEqual([]);
  await expect(far.request('intake.status.v1', {})).resolves.toEqual(status);
  await bus.close();
});

test('what nobody answers here goes to the other side, also after whoever answered has left', async () => {
  const { far, bus, asked } = buses();
  await far.respond('shop.order.get.v1', async () => ({ orders: [] }));
  await expect(bus.request('shop.order.get.v1', { ids: [1] })).resolves.toEqual({ orders: [] });
  const [first, second] = [
    await bus.respond('intake.status.v1', async () => status),
    await bus.respond('intake.status.v1', async () => status),
  ];
  await first.close();
  await first.close();
  await expect(bus.request('intake.status.v1', {})).resolves.toEqual(status);
  await second.close();
  await expect(bus.request('intake.status.v1', {})).rejects.toMatchObject({ code: 'no_responder' });
  expect(asked).toEqual(['shop.order.get.v1', 'intake.status.v1']);
  await bus.close();
});

test('errors, checks and the end are those of every bus', async () => {
  const { bus } = buses();
  const refusal = new ServiceError(404, 'svc_rule_not_found', 'There is no such rule.');
  await bus.respond('rules.rule.get.v1', () => Promise.reject(refusal));
  await expect(bus.request('rules.rule.get.v1', { id: 1 })).rejects.toMatchObject({
    code: 'svc_rule_not_found',
    status: 404,
  });
  await expect(bus.request('rules.rule.get.v1', { id: 'one' } as never)).rejects.toMatchObject({
    code: 'invalid_message',
  });
  await bus.close();
  await expect(bus.request('rules.rule.get.v1', { id: 1 })).rejects.toMatchObject({ name: 'BusError', code: 'closed' });
});

test('close waits for whoever is asked here', async () => {
  const { bus } = buses();
  let open = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    open = resolve;
  });
  await bus.respond('intake.status.v1', async () => {
    await held;
    return status;
  });
  const answer = bus.request('intake.status.v1', {});
  let closed = false;
  const closing = bus.close().then(() => {
    closed = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(closed).toBe(false);
  open();
  await expect(answer).resolves.toEqual(status);
  await closing;
});
