import { newestRead } from './sender-documents';

test('a read that began earlier and ends later changes nothing', async () => {
  const answers: ((value: string) => void)[] = [];
  let known = '';
  const refresh = newestRead(
    () => new Promise<string>((resolve) => answers.push(resolve)),
    (found) => {
      known = found;
    },
  );
  const [slow, quick] = [refresh(), refresh()];
  answers[1]?.('new');
  await quick;
  answers[0]?.('old');
  await slow;
  expect(known).toBe('new');
  const next = refresh();
  answers[2]?.('newer');
  await next;
  expect(known).toBe('newer');
});

test('a read that fails rejects, and leaves what is known', async () => {
  const applied: string[] = [];
  const refresh = newestRead(
    () => Promise.reject(new Error('the store is away')),
    (found: string) => void applied.push(found),
  );
  await expect(refresh()).rejects.toThrow('the store is away');
  expect(applied).toEqual([]);
});
