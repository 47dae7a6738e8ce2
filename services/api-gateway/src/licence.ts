import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compactVerify, createLocalJWKSet, decodeProtectedHeader, errors, type JSONWebKeySet } from 'jose';
import { z } from 'zod';

/** decisions.md section 8. `expires_at` null: it does not expire. `demonstration`: nobody has bought it. */
export const licenceSchema = z.object({
  active: z.boolean(),
  edition: z.enum(['default', 'extended']),
  features: z.array(z.string()),
  expires_at: z.iso.datetime().nullable(),
  licensee: z.string().nullable(),
  demonstration: z.boolean(),
  message: z.string(),
});
export type Licence = z.infer<typeof licenceSchema>;

/** The licence at a time in milliseconds since the epoch: one that was valid at the start may have expired since. */
export type LicenceAt = (now: number) => Licence;

/** `typ` of the header: no other token that the vendor signs is a licence. */
export const licenceType = 'licence+jwt';
const longestKey = 8_192;

const licenceClaims = z.looseObject({
  edition: z.enum(['default', 'extended']),
  features: z.array(z.string().min(1).max(100)).max(100),
  licensee: z.string().min(1).max(200),
  /** Seconds since the epoch. */
  exp: z.int().positive().max(8_640_000_000_000).optional(),
});
export type LicenceClaims = z.infer<typeof licenceClaims>;

const standard: Omit<Licence, 'message'> = {
  active: false,
  edition: 'default',
  features: [],
  expires_at: null,
  licensee: null,
  demonstration: false,
};

const demonstration: Licence = {
  ...standard,
  active: true,
  edition: 'extended',
  features: ['rule_debugging'],
  demonstration: true,
  message: 'This is the demonstration licence: the extended edition, for trying it out.',
};

/** What LICENCE_KEY entitles to: `demo`, `none`, or a token (EdDSA) that the vendor signed. A bad one is the default edition; its message says why. */
export async function readLicence(key: string | undefined, vendorKeys: JSONWebKeySet): Promise<LicenceAt> {
  if (key === undefined || key === 'none')
    return () => ({ ...standard, message: 'No licence: this installation is the default edition.' });
  if (key === 'demo') return () => demonstration;
  const verified = await verify(key, vendorKeys);
  if ('problem' in verified) {
    const message = `The licence in LICENCE_KEY is not valid: ${verified.problem}. This installation is the default edition.`;
    return () => ({ ...standard, message });
  }
  return (now) => judged(verified, now);
}

async function verify(key: string, vendorKeys: JSONWebKeySet): Promise<LicenceClaims | { readonly problem: string }> {
  if (vendorKeys.keys.length === 0)
    return { problem: 'this installation has no keys of the vendor to check it with (LICENCE_PUBLIC_KEYS_FILE)' };
  if (key.length > longestKey) return { problem: `it is longer than ${longestKey} characters` };
  try {
    const { typ, kid, alg } = decodeProtectedHeader(key);
    if (typ !== licenceType || kid === undefined || alg !== 'EdDSA')
      return { problem: 'it is a token of another kind' };
    const { payload } = await compactVerify(key, createLocalJWKSet(vendorKeys), { algorithms: ['EdDSA'] });
    const claims = licenceClaims.safeParse(JSON.parse(new TextDecoder().decode(payload)));
    return claims.success ? claims.data : { problem: 'it does not say its edition, features and licensee' };
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey)
      return { problem: 'it was signed with a key that this installation does not have' };
    if (error instanceof errors.JWSSignatureVerificationFailed)
      return { problem: 'its signature does not fit; it was changed, or another key signed it' };
    return { problem: 'it cannot be read; it may have been cut off' };
  }
}

function judged({ edition, features, licensee, exp }: LicenceClaims, now: number): Licence {
  const expires_at = exp === undefined ? null : new Date(exp * 1000).toISOString();
  const own = { ...standard, licensee, expires_at };
  if (exp !== undefined && now >= exp * 1000) {
    const message = `The licence of ${licensee} expired on ${expires_at}. Rules keep running; what belongs to the extended edition cannot be saved or used.`;
    return { ...own, message };
  }
  const until = expires_at === null ? 'It does not expire.' : `It expires on ${expires_at}.`;
  return { ...own, active: true, edition, features, message: `Licensed to ${licensee}: ${edition} edition. ${until}` };
}

const shippedFile = join(__dirname, '..', 'assets', 'licence-keys.json');
const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })).max(100) });

/** The vendor's public keys as the image has them; the source tree has none. A file that is no key set counts as empty. */
export function shippedLicenceKeys(): JSONWebKeySet {
  try {
    return keySet.parse(JSON.parse(readFileSync(shippedFile, 'utf8')));
  } catch {
    return { keys: [] };
  }
}
