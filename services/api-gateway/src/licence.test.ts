import type { JSONWebKeySet } from 'jose';
import { issueLicence, newLicenceKey } from '../test/licences';
import { type LicenceClaims, readLicence } from './licence';

const now = Date.parse('2027-03-01T12:00:00Z');
const claims: LicenceClaims = {
  edition: 'extended',
  features: ['rule_debugging'],
  licensee: 'Acme Ltd',
  exp: now / 1000 + 60,
};
const refused = { active: false, edition: 'default', features: [], expires_at: null, licensee: null };

let vendor: Awaited<ReturnType<typeof newLicenceKey>>;
let keys: JSONWebKeySet;
beforeAll(async () => {
  vendor = await newLicenceKey();
  keys = vendor.publicKeys as JSONWebKeySet;
});

test('a licence that the vendor signed is what it says, until it expires while the process runs', async () => {
  const licenceAt = await readLicence(await issueLicence(vendor.privateKey, claims), keys);
  const valid = { active: true, edition: 'extended', features: ['rule_debugging'], licensee: 'Acme Ltd' };
  expect(licenceAt(now)).toMatchObject({ ...valid, expires_at: '2027-03-01T12:01:00.000Z', demonstration: false });
  expect(licenceAt(now + 59_999)).toMatchObject(valid);
  expect(licenceAt(now + 60_000)).toMatchObject({
    ...refused,
    licensee: 'Acme Ltd',
    expires_at: '2027-03-01T12:01:00.000Z',
    message: expect.stringContaining('expired on 2027-03-01T12:01:00.000Z'),
  });
});

test('without an expiry it does not expire', async () => {
  const { exp: _, ...forever } = claims;
  const licenceAt = await readLicence(await issueLicence(vendor.privateKey, forever), keys);
  expect(licenceAt(Date.parse('2999-01-01'))).toMatchObject({ active: true, edition: 'extended', expires_at: null });
});

test('demo and none', async () => {
  expect((await readLicence('demo', keys))(now)).toMatchObject({
    active: true,
    edition: 'extended',
    demonstration: true,
  });
  for (const key of [undefined, 'none'])
    expect((await readLicence(key, keys))(now)).toMatchObject({
      ...refused,
      message: expect.stringMatching(/^No licence/),
    });
});

describe('what cannot be verified is the default edition, and says why', () => {
  const tampered = (token: string): string => {
    const [header, , signature] = token.split('.');
    const more = Buffer.from(JSON.stringify({ ...claims, exp: claims.exp && claims.exp * 2 })).toString('base64url');
    return `${header}.${more}.${signature}`;
  };
  const cases: [string, () => Promise<string>, RegExp][] = [
    ['changed', async () => tampered(await issueLicence(vendor.privateKey, claims)), /signature does not fit/],
    [
      'signed with another key under the id of the vendor’s',
      async () => issueLicence({ ...(await newLicenceKey()).privateKey, kid: vendor.privateKey.kid }, claims),
      /signature does not fit/,
    ],
    ['of an unknown key', async () => issueLicence((await newLicenceKey()).privateKey, claims), /does not have/],
    [
      'cut off',
      async () => (await issueLicence(vendor.privateKey, claims)).slice(0, -20),
      /signature does not fit|cut off/,
    ],
    ['no token', async () => 'no-such-licence', /cannot be read/],
    [
      'not signed at all',
      async () => `${Buffer.from('{"alg":"none","typ":"licence+jwt","kid":"k"}').toString('base64url')}.e30.`,
      /another kind/,
    ],
    [
      'without an edition',
      async () => issueLicence(vendor.privateKey, { ...claims, edition: 'gold' as 'extended' }),
      /does not say its edition/,
    ],
  ];
  test.each(cases)('%s', async (_what, token, problem) => {
    const licence = (await readLicence(await token(), keys))(now);
    expect(licence).toMatchObject({ ...refused, message: expect.stringMatching(problem) });
    expect(licence.message).toMatch(/default edition\.$/);
  });

  test('without keys of the vendor', async () => {
    const licenceAt = await readLicence(await issueLicence(vendor.privateKey, claims), { keys: [] });
    expect(licenceAt(now)).toMatchObject({ ...refused, message: expect.stringContaining('LICENCE_PUBLIC_KEYS_FILE') });
  });
});
