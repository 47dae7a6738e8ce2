import { parseBasic, sessionCookie, sessionCookieHeader, sessionTokenOf } from './credentials';

const basic = (text: string | Buffer) => `Basic ${Buffer.from(text).toString('base64')}`;
const token = 'A'.repeat(43);

describe('parseBasic', () => {
  test('takes user and password apart at the first colon', () => {
    expect(parseBasic(basic('admin:aB3d EfG7:x'))).toEqual({ user: 'admin', password: 'aB3d EfG7:x' });
  });

  test('reads UTF-8, and the scheme in any case', () => {
    expect(parseBasic(basic('jürgen:pässwörd').replace('Basic', 'bASIC'))).toEqual({
      user: 'jürgen',
      password: 'pässwörd',
    });
  });

  test.each([
    ['nothing', ''],
    ['another scheme', 'Bearer abc'],
    ['no credentials', 'Basic'],
    ['no colon', basic('admin')],
    ['no user', basic(':secret')],
    ['not base64', 'Basic !!!!'],
    ['two tokens', `${basic('a:b')} ${basic('a:b')}`],
    ['joined headers', `${basic('a:b')}, ${basic('c:d')}`],
    ['not UTF-8', basic(Buffer.from([0x61, 0x3a, 0xff, 0xfe]))],
    ['a NUL', basic('ad\0min:secret')],
    ['far too long', basic(`admin:${'x'.repeat(100_000)}`)],
  ])('refuses %s', (_what, header) => {
    expect(parseBasic(header)).toBeUndefined();
  });
});

describe('session cookie', () => {
  test('is found among others', () => {
    expect(sessionTokenOf(`theme=dark; ${sessionCookie}=${token}; x=y`)).toBe(token);
  });

  test.each([
    ['no header', undefined],
    ['another cookie', 'theme=dark'],
    ['a longer name', `x${sessionCookie}=${token}`],
    ['a planted second one', `${sessionCookie}=${token}; ${sessionCookie}=${'B'.repeat(43)}`],
    ['another length', `${sessionCookie}=abc`],
    ['other characters', `${sessionCookie}=${'"'.repeat(43)}`],
  ])('is none: %s', (_what, header) => {
    expect(sessionTokenOf(header)).toBeUndefined();
  });

  test('cannot be read by scripts nor sent across sites, and is Secure on https', () => {
    const options = { path: '/', maxAgeSeconds: 60 };
    expect(sessionCookieHeader(token, { ...options, secure: true })).toBe(
      `${sessionCookie}=${token}; Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure`,
    );
    expect(sessionCookieHeader(token, { ...options, secure: false })).not.toContain('Secure');
  });
});
