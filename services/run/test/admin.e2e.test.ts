import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Product, startEmbedded } from './product';

const root = join(__dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'order-automation-admin-'));
const env = { DATA_DIR: folder, PORT: '0', OPS_PORT: '0', ADMIN_PASSWORD: 'a password that is forgotten' };
let product: Product | undefined;

afterAll(async () => {
  await product?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const start = async (): Promise<Product> => {
  product = await startEmbedded({ env, log: 'ignore' });
  return product;
};
const admin = (...args: readonly string[]) => {
  const all = { ...process.env, NATS_URL: '', MONGODB_URI: '', ...env };
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'admin', '--', ...args], {
    cwd: root,
    env: all,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};
const logIn = async ({ port }: Product, password: string) =>
  fetch(`http://127.0.0.1:${port}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  });

test('a forgotten password is replaced on the machine, while the process is stopped', async () => {
  expect(admin('reset-password')).toMatchObject({ status: 2, stderr: expect.stringContaining('DATA_DIR') });
  const running = await start();
  const session = (await logIn(running, env.ADMIN_PASSWORD)).headers.get('set-cookie') ?? '';
  const refused = admin('reset-password');
  expect(refused).toMatchObject({ status: 2, stdout: '' });
  expect(refused.stderr).toMatch(/used by another process \(pid \d+\)/);
  await running.stop();

  expect(admin('reset-password', '--user', 'nobody')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('There is no user "nobody".\n'),
  });
  expect(admin('reset-pasword')).toMatchObject({ status: 2, stderr: expect.stringContaining('reset-password') });
  const reset = admin('reset-password', '--user', 'Admin');
  expect(reset).toMatchObject({ status: 0, stderr: expect.not.stringContaining('Error') });
  const password = /^New password of admin: (\S{20})\nSessions ended: 1\n$/.exec(reset.stdout)?.[1] ?? '';

  const again = await start();
  expect((await logIn(again, env.ADMIN_PASSWORD)).status).toBe(401);
  expect((await logIn(again, password)).status).toBe(200);
  const headers = { cookie: session.split(';')[0] ?? '' };
  expect((await fetch(`http://127.0.0.1:${again.port}/v1/auth/nonce`, { headers })).status).toBe(401);
});
