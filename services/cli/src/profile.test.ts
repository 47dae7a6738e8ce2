import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { address, forgetProfile, profileFile, readProfile, storeProfile } from './profile';

const folder = mkdtempSync(join(tmpdir(), 'orderctl-'));
const env = { XDG_CONFIG_HOME: folder };
const stored = { url: 'https://shop.example', user: 'admin', password: 'application password' };
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('without an environment and a log-in it says what is missing, and the next step', () => {
  expect(() => readProfile(env)).toThrow(/ORDERCTL_URL, ORDERCTL_USER, ORDERCTL_PASSWORD missing/);
});

test('a stored log-in is for its owner alone, and the environment goes first', () => {
  storeProfile(env, stored);
  expect(statSync(profileFile(env)).mode & 0o777).toBe(0o600);
  expect(readProfile(env)).toEqual(stored);
  expect(readProfile({ ...env, ORDERCTL_USER: 'other', ORDERCTL_PASSWORD: 'secret' })).toMatchObject({
    user: 'other',
    password: 'secret',
  });
  expect(forgetProfile(env)).toBe(true);
  expect(forgetProfile(env)).toBe(false);
});

test('a stored password is not sent to another address', () => {
  storeProfile(env, stored);
  expect(() => readProfile({ ...env, ORDERCTL_URL: 'https://evil.example' })).toThrow(/not sent elsewhere/);
  expect(readProfile({ ...env, ORDERCTL_URL: 'https://shop.example/v1/' })).toEqual(stored);
});

test.each([
  ['https://shop.example/', 'https://shop.example'],
  ['https://shop.example/automation/v1', 'https://shop.example/automation'],
  ['http://127.0.0.1:8080/pro/v1/', 'http://127.0.0.1:8080'],
  ['http://localhost:8080', 'http://localhost:8080'],
  ['http://[::1]:8080', 'http://[::1]:8080'],
])('the base address of %s is %s', (text, base) => expect(address(text)).toBe(base));

// Specification, section 5: an application password requires HTTPS.
test.each(['http://shop.example', 'http://10.1.2.3:8080', 'http://127.0.0.1.evil.example'])(
  'no password is sent to %s',
  (text) => expect(() => address(text)).toThrow(`${text} is http: the password could be read on its way.`),
);

test.each(['shop.example', 'ftp://shop.example', 'https://a:b@shop.example'])('%s is refused', (text) => {
  expect(() => address(text)).toThrow();
});
