import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { waitFor } from '@order-automation/testing';
import { type Product, startEmbedded } from './product';
import { apiClient, importOrders, newSecrets, payableOrders } from './product-client';
import { payment, postSigned } from './products';

const run = promisify(execFile);
const program = join(__dirname, '../dist/backup/main.js');
const passphrase = 'a sentence for this test';
/** BACKUP_ROUNDS=10 BACKUP_RATE=500 for the whole proof: webhooks a second, for eight seconds. Without a rate a few hundred, as fast as they are taken. */
const rounds = Number(process.env.BACKUP_ROUNDS ?? 1);
const rate = Number(process.env.BACKUP_RATE ?? 0);
const firstOrder = 8001;
const orders = rate === 0 ? 600 : 8 * rate;
const senders = rate === 0 ? 8 : 48;

type Order = { readonly status: string; readonly notes: readonly unknown[] };

describe('backup and restore (embedded)', () => {
  const secrets = newSecrets();
  let folder: string;
  const running: Product[] = [];
  const start = async (own: Record<string, string>): Promise<Product> => {
    const product = await startEmbedded({ env: own, log: 'ignore' });
    running.push(product);
    return product;
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'order-automation-backup-'));
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((product) => product.kill()));
    rmSync(folder, { recursive: true, force: true });
  });

  const env = (dataDir: string) => ({ ...secrets.env, DATA_DIR: dataDir, PORT: '0', OPS_PORT: '0', LOG_LEVEL: 'warn' });
  const command = (verb: string, dataDir: string, ...more: string[]) =>
    run(process.execPath, [program, verb, ...more], {
      env: { PATH: process.env.PATH, ...env(dataDir), BACKUP_PASSPHRASE: passphrase },
    });

  /** The folders of an installation that was started once, of its backup, and for what is restored. */
  const backedUp = async () => {
    const at = (name: string) => join(folder, name);
    const folders = { live: at('live'), backup: at('backup'), restored: at('restored') };
    await (await start(env(folders.live))).stop();
    await command('backup', folders.live, folders.backup);
    return folders;
  };

  test.each(Array.from({ length: rounds }, (_, index) => index + 1))(
    'every webhook acknowledged before a backup under load takes effect once after the restore (%i)',
    async () => {
      const [live, restored, backup] = ['live', 'restored', 'backup'].map((name) => join(folder, name)) as [
        string,
        string,
        string,
      ];
      const product = await start(env(live));
      const sent = { url: `http://127.0.0.1:${product.port}`, secrets };
      await importOrders(apiClient(product.port, secrets), payableOrders(firstOrder, orders));
      const acknowledged: number[] = [];
      let next = 0;
      const began = performance.now();
      const send = async (): Promise<void> => {
        while (next < orders) {
          const index = next++;
          const order = firstOrder + index;
          if (rate > 0) await delay(Math.max(0, began + (1_000 * index) / rate - performance.now()));
          if ((await postSigned(sent, payment(`b-${order}`, order))).success) acknowledged.push(order);
        }
      };
      const sending = Array.from({ length: senders }, send);
      await waitFor(() => acknowledged.length > orders / 4, { timeout: 60_000 });
      const before = [...acknowledged];
      const { stdout } = await command('backup', live, backup);
      expect(stdout).toMatch(/Backed up 7 databases.*keep SECRET_KEY/);
      const during = acknowledged.length - before.length;
      await Promise.all(sending);
      const seconds = (performance.now() - began) / 1_000;
      expect(acknowledged).toHaveLength(orders);
      if (rate > 0)
        console.info(`${Math.round(orders / seconds)} webhooks/s; ${during} were taken while the backup was made`);
      await product.kill();

      const report = (await command('restore', restored, backup)).stdout;
      expect(report).toMatch(/The log is intact: \d+ entries checked/);
      const again = await start(env(restored));
      const client = apiClient(again.port, secrets);
      const orderOf = (id: number) => client<Order>('GET', `/v1/shop/orders/${id}`);
      // The rule of the demonstration completes an order and adds one note: two would be an effect done twice.
      for (const id of before)
        await waitFor(
          async () => {
            const { status, notes } = await orderOf(id);
            return status === 'completed' && notes.length > 0;
          },
          { timeout: 60_000, describe: `order ${id}` },
        );
      const doubled: number[] = [];
      for (const id of before) if ((await orderOf(id)).notes.length !== 1) doubled.push(id);
      expect(doubled).toEqual([]);
      // What was taken before is a duplicate, and changes nothing.
      expect(
        await postSigned({ url: `http://127.0.0.1:${again.port}`, secrets }, payment(`b-${before[0]}`, before[0] ?? 0)),
      ).toMatchObject({ duplicate: true });
      expect(await client('GET', '/v1/audit-log/verify')).toMatchObject({ valid: true });
      await again.stop();
    },
    300_000,
  );

  test('secrets of the installation are encrypted, or left out on request, and never there as they are', async () => {
    const [live, backup, bare, restored] = ['live', 'backup', 'bare', 'restored'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
      string,
    ];
    const own = { DATA_DIR: live, PORT: '0', OPS_PORT: '0', LOG_LEVEL: 'silent' };
    const product = await start(own);
    const generated = readFileSync(join(live, 'generated.env'), 'utf8');
    const tool = (words: string[], more: Record<string, string> = {}) =>
      run(process.execPath, [program, ...words], { env: { PATH: process.env.PATH, DATA_DIR: live, ...more } });
    await expect(tool(['backup', backup])).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('BACKUP_PASSPHRASE is needed'),
    });
    await tool(['backup', backup], { BACKUP_PASSPHRASE: passphrase });
    await tool(['backup', bare, '--without-secrets']);
    await product.stop();

    const [, key = ''] = /SECRET_KEY='(.*)'/.exec(generated) ?? [];
    for (const name of readdirSync(backup)) expect(readFileSync(join(backup, name)).includes(key)).toBe(false);
    expect(readdirSync(bare).filter((name) => name.includes('generated'))).toEqual([]);
    const wrong = { DATA_DIR: restored, BACKUP_PASSPHRASE: 'another sentence' };
    await expect(tool(['restore', backup], wrong)).rejects.toMatchObject({
      stderr: expect.stringContaining('does not open'),
    });
    expect(readdirSync(restored)).toEqual([]);
    await tool(['restore', backup], { DATA_DIR: restored, BACKUP_PASSPHRASE: passphrase });
    expect(readFileSync(join(restored, 'generated.env'), 'utf8')).toBe(generated);
    await expect(
      tool(['restore', backup], { DATA_DIR: restored, BACKUP_PASSPHRASE: passphrase }),
    ).rejects.toMatchObject({ stderr: expect.stringContaining('is not empty') });
  }, 120_000);

  test('a damaged backup is not restored', async () => {
    const { backup, restored } = await backedUp();
    const file = join(backup, 'shop.sqlite');
    const bytes = readFileSync(file);
    bytes[bytes.length - 100] = (bytes[bytes.length - 100] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    await expect(command('restore', restored, backup)).rejects.toMatchObject({
      stderr: expect.stringContaining('shop.sqlite is not the file that was backed up'),
    });
    expect(existsSync(restored) ? readdirSync(restored) : []).toEqual([]);

    rmSync(file);
    await expect(command('restore', restored, backup)).rejects.toMatchObject({
      stderr: `shop.sqlite is missing in ${backup}.\n`,
    });
    writeFileSync(join(backup, 'manifest.json'), '{"format": 1, "made');
    await expect(command('restore', restored, backup)).rejects.toMatchObject({
      stderr: expect.stringMatching(/manifest\.json is damaged, or not that of a backup/),
    });
  }, 120_000);

  test('a restore that is killed leaves nothing that starts; with another SECRET_KEY it says what is there', async () => {
    const { live, backup, restored } = await backedUp();
    // It is killed when it has found the second file damaged, before it cleans up.
    const manifest = JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8'));
    manifest.files[1].sha256 = '0'.repeat(64);
    const restoring = `const { restore } = require(${JSON.stringify(join(program, '../restore.js'))});
      require('node:fs').rmSync = () => process.kill(process.pid, 'SIGKILL');
      restore(${JSON.stringify({ folder: backup, dataDir: restored })});`;
    writeFileSync(join(backup, 'manifest.json'), JSON.stringify(manifest));
    await expect(run(process.execPath, ['-e', restoring])).rejects.toMatchObject({ signal: 'SIGKILL' });
    expect(readdirSync(restored)).toContain('gateway-intake.sqlite');
    await expect(start(env(restored))).rejects.toThrow(
      'DATA_DIR: holds a part of a backup, whose restore was interrupted: empty the folder and restore again',
    );

    rmSync(restored, { recursive: true });
    rmSync(backup, { recursive: true });
    await command('backup', live, backup);
    const other = { PATH: process.env.PATH, DATA_DIR: restored, SECRET_KEY: Buffer.alloc(32, 9).toString('base64') };
    await expect(run(process.execPath, [program, 'restore', backup], { env: other })).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/Everything is in .* all the same: start with the SECRET_KEY of the installation/),
    });
    await (await start(env(restored))).stop();
  }, 120_000);
});
