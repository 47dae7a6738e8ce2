import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generatedEnv, generatedFile } from './generated';

describe('generatedEnv', () => {
  const fresh = () => join(mkdtempSync(join(tmpdir(), 'generated-')), 'data');

  it('makes secrets once, readable by the owner alone', () => {
    const dir = fresh();
    const first = generatedEnv(dir, {});
    expect(Buffer.from(first.SECRET_KEY ?? '', 'base64')).toHaveLength(32);
    expect(first.GATEWAY_CARD_SECRETS).toMatch(/^whsec_[0-9a-f]{48}$/);
    expect(generatedEnv(dir, {})).toEqual(first);
    expect(statSync(join(dir, generatedFile)).mode & 0o777).toBe(0o600);
  });

  it('neither makes nor keeps what the environment gives', () => {
    const dir = fresh();
    const made = generatedEnv(dir, { GATEWAY_CARD_SECRETS: 'given-by-the-operator' });
    expect(made.GATEWAY_CARD_SECRETS).toBeUndefined();
    expect(readFileSync(join(dir, generatedFile), 'utf8')).not.toContain('given-by-the-operator');
    expect(generatedEnv(dir, {}).GATEWAY_CARD_SECRETS).toMatch(/^whsec_/);
  });
});
