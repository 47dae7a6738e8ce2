import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generatedFile, generateSecrets, markPasswordShown } from './generated';

describe('generateSecrets', () => {
  const fresh = () => mkdtempSync(join(tmpdir(), 'generated-'));

  it('makes secrets once, readable by the owner alone', () => {
    const dir = fresh();
    const { kept: first } = generateSecrets(dir, {});
    expect(Object.keys(first)).toEqual([
      'SECRET_KEY',
      'GATEWAY_CARD_SECRETS',
      'ADMIN_PASSWORD',
      'ADMIN_APPLICATION_PASSWORD',
    ]);
    expect(Buffer.from(first.SECRET_KEY ?? '', 'base64')).toHaveLength(32);
    expect(first.GATEWAY_CARD_SECRETS).toMatch(/^whsec_[0-9a-f]{48}$/);
    expect(first.ADMIN_PASSWORD).toMatch(/^[A-Za-z2-9]{20}$/);
    expect(generateSecrets(dir, {})).toEqual({ kept: first, passwordShown: false });
    markPasswordShown(dir);
    expect(generateSecrets(dir, {})).toEqual({ kept: first, passwordShown: true });
    expect(statSync(join(dir, generatedFile)).mode & 0o777).toBe(0o600);
  });

  it('neither makes nor keeps what the environment sets', () => {
    const dir = fresh();
    const { kept } = generateSecrets(dir, { GATEWAY_CARD_SECRETS: 'given-by-the-operator' });
    expect(kept.GATEWAY_CARD_SECRETS).toBeUndefined();
    expect(readFileSync(join(dir, generatedFile), 'utf8')).not.toContain('given-by-the-operator');
    expect(generateSecrets(dir, {}).kept.GATEWAY_CARD_SECRETS).toMatch(/^whsec_/);
  });

  it('makes no new secrets beside data whose secrets are gone, and names what is missing', () => {
    const dir = fresh();
    writeFileSync(join(dir, 'audit.sqlite'), '');
    expect(() => generateSecrets(dir, { GATEWAY_CARD_SECRETS: 'whsec_given' })).toThrow(
      /SECRET_KEY: is not set, and .*generated.env, which kept it, is gone.*\n.*ADMIN_APPLICATION_PASSWORD: is not set/,
    );
    expect(existsSync(join(dir, generatedFile))).toBe(false);
  });
});
