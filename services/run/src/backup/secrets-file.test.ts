import { decryptSecrets, encryptSecrets } from './secrets-file';

const text = "SECRET_KEY='abc'\n";

test('what is encrypted opens with its passphrase alone, and nothing of it is readable', () => {
  const encrypted = encryptSecrets(text, 'a long passphrase');
  expect(encrypted).not.toContain('SECRET_KEY');
  expect(decryptSecrets(encrypted, 'a long passphrase')).toBe(text);
  expect(() => decryptSecrets(encrypted, 'another passphrase')).toThrow('BACKUP_PASSPHRASE does not open');
});

test('a changed text does not open', () => {
  const lines = encryptSecrets(text, 'a long passphrase').split('\n');
  lines[4] = Buffer.from('something else').toString('base64');
  expect(() => decryptSecrets(lines.join('\n'), 'a long passphrase')).toThrow('does not open');
  expect(() => decryptSecrets('nothing', 'a long passphrase')).toThrow('of no known form');
});
