import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from './product';

const readme = readFileSync(join(__dirname, '../../../README.md'), 'utf8');
const tries = [...readme.matchAll(/<!-- try -->\n```sh\n([\s\S]*?)```\n<!-- answer -->\n```\n([\s\S]*?)```/g)];

/** What differs from one run to the next: ids and milliseconds. */
function withoutChance(text: string): string {
  return text
    .replace(/(proc|evt)_[0-9A-HJKMNP-TV-Z]{26}/g, '$1_…')
    .replace(/"\d+ms"/g, '"…ms"')
    .trim();
}

test('the commands of the README give the answers of the README', async () => {
  expect(tries).toHaveLength(6);
  const dir = mkdtempSync(join(tmpdir(), 'order-automation-readme-'));
  const product = await startEmbedded({
    env: { DATA_DIR: join(dir, 'data'), PORT: '0', OPS_PORT: '0', LOG_LEVEL: 'warn' },
    log: 'ignore',
  });
  try {
    const commands = tries.map(([, command]) => command?.replaceAll(':8080', `:${product.port}`));
    // A second is enough on a machine that does nothing else.
    const script = `sleep() { command sleep 4; }\n${commands.join('\necho; echo ---next---\n')}`;
    const answers = execFileSync('bash', ['-c', script], { cwd: dir, encoding: 'utf8' }).split('---next---');
    expect(answers.map(withoutChance)).toEqual(tries.map(([, , answer]) => withoutChance(answer ?? '')));
  } finally {
    await product.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}, 120_000);
