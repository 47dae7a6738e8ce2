import { waitFor } from './wait-for';

test('gives what the condition gave, once it is truthy', async () => {
  let looks = 0;
  expect(await waitFor(() => (++looks === 3 ? { looks } : undefined), { every: 1 })).toEqual({ looks: 3 });
});

/** Milliseconds, with the patience of this run. */
const limit = (timeout: number): number => timeout * Number(process.env.TEST_PATIENCE);

test('says what it waited for, and the last error', async () => {
  const failing = waitFor(
    () => {
      throw new Error('not there');
    },
    { timeout: 5, every: 1, describe: 'the row' },
  );
  await expect(failing).rejects.toMatchObject({
    message: `waited ${limit(5)} ms for the row`,
    cause: { message: 'not there' },
  });
  await expect(waitFor(() => 0, { timeout: 1, every: 1 })).rejects.toThrow(`waited ${limit(1)} ms for the condition`);
});
