import { keyRing } from '@order-automation/service';
import { makeApplicationPassword, normaliseApplicationPassword } from './application-password';
import { keyedHash } from './keys';

describe('application password', () => {
  test('24 random characters in groups of four', () => {
    const passwords = Array.from({ length: 200 }, makeApplicationPassword);
    for (const password of passwords) expect(password).toMatch(/^([A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}$/);
    expect(new Set(passwords).size).toBe(200);
  });

  test('is the same with and without spaces', () => {
    expect(normaliseApplicationPassword(' aB3d EfG7\thIjK ')).toBe('aB3dEfG7hIjK');
  });
});

describe('keyed hash', () => {
  const [newest, older] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

  test('is made with the newest key and recognised under all', () => {
    const both = keyedHash(keyRing([newest, older]), 'session');
    expect(both.hash('x')).toBe(keyedHash(keyRing([newest]), 'session').hash('x'));
    expect(both.hashes('x')).toEqual([newest, older].map((key) => keyedHash(keyRing([key]), 'session').hash('x')));
    expect(both.matches('x', keyedHash(keyRing([older]), 'session').hash('x'))).toBe(true);
  });

  test('differs by purpose and text, and never throws on another length', () => {
    const keys = keyedHash(keyRing([newest]), 'session');
    expect(keys.hash('x')).not.toBe(keyedHash(keyRing([newest]), 'nonce').hash('x'));
    for (const hash of ['', 'AAAA', keys.hash('y')]) expect(keys.matches('x', hash)).toBe(false);
  });
});
