import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeInReverse, loadEnv } from './process';

test('the environment wins over the .env file, which need not be there', () => {
  const directory = mkdtempSync(join(tmpdir(), 'env-'));
  const file = join(directory, '.env');
  expect(loadEnv(file, { A: '1' })).toEqual({ A: '1' });
  writeFileSync(file, '# a comment\nA=file\nB="two words"\n');
  expect(loadEnv(file, { A: 'real' })).toEqual({ A: 'real', B: 'two words' });
  rmSync(directory, { recursive: true });
  expect(() => loadEnv(tmpdir(), {})).toThrow('EISDIR');
});

test('what was started last is closed first, once, and a failure keeps nothing open', async () => {
  const closed: string[] = [];
  const closing = closeInReverse();
  closing.add('store', async () => void closed.push('store'));
  closing.add('bus', () => Promise.reject(new Error('stuck')));
  closing.add('service', async () => void closed.push('service'));
  const done = closing.close();
  expect(closing.close()).toBe(done);
  await expect(done).rejects.toMatchObject({
    errors: [{ message: 'bus could not be closed', cause: { message: 'stuck' } }],
  });
  expect(closed).toEqual(['service', 'store']);
});
