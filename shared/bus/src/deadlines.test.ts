import { newDeadlines } from './deadlines';

const late = (): Error => new Error('late');
const never = new Promise<never>(() => undefined);

test('what is in time comes out as it is, values and errors', async () => {
  const { within } = newDeadlines();
  await expect(within(Promise.resolve(1), 1_000, late)).resolves.toBe(1);
  await expect(within(Promise.reject(new Error('own')), 1_000, late)).rejects.toThrow('own');
});

test('each is late by its own deadline, never before it, and jobs after a pause too', async () => {
  const { within } = newDeadlines();
  for (const timeouts of [[10, 60], [20]]) {
    const from = performance.now();
    await Promise.all(
      timeouts.map(async (timeout) => {
        await expect(within(never, timeout, late)).rejects.toThrow('late');
        expect(performance.now() - from).toBeGreaterThanOrEqual(timeout);
      }),
    );
  }
});
