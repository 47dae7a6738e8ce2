import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Proof, provedBy, type RawInput, refused } from '../adapter';
import { type LiveSecret, liveSecrets } from '../connection';
import { changedBodies, changedBody, isWorthDiagnosis, signedWithEnded } from '../diagnosis';
import { untrusted } from '../refusal';

export const signatureHeader = 'x-wc-webhook-signature';

const noSecret = untrusted(
  'no_secret_configured',
  'No secret is configured (GATEWAY_SHOP_SECRETS, or a secret of the gateway): every webhook of the shop is refused.',
);
const mismatch = untrusted('signature_mismatch', 'No configured secret made this signature for this body.');

/** Base64 HMAC-SHA256 of the body (decisions.md section 5). The shop says nothing about time, so neither can this. */
export function verifyShopSignature(
  { headers, body, now }: RawInput,
  secrets: readonly LiveSecret[],
  context: { readonly diagnose: boolean },
): Proof {
  if (secrets.length === 0) return refused(noSecret);
  const [value, ...more] = headers[signatureHeader] ?? [];
  if (value === undefined) return refused(untrusted('signature_missing', 'There is no X-WC-Webhook-Signature header.'));
  if (more.length > 0) return refused(untrusted('signature_repeated', 'The signature header came more than once.'));
  if (!/^[A-Za-z0-9+/]{43}=$/.test(value))
    return refused(untrusted('signature_malformed', 'The signature is not 44 characters of base64.'));
  const digest = Buffer.from(value, 'base64');
  const signer = (among: readonly LiveSecret[], signed = body): LiveSecret | undefined =>
    among.find(({ value: secret }) => timingSafeEqual(digest, digestOf(secret, signed)));
  const live = liveSecrets(secrets, now);
  const secret = signer(live);
  if (secret) return provedBy(secret);
  if (!isWorthDiagnosis(body, context)) return refused(mismatch);
  const ended = signer(secrets.filter((one) => !live.includes(one)));
  if (ended) return refused(signedWithEnded(ended));
  for (const changed of changedBodies(body)) {
    const by = signer(live, changed.body);
    if (by) return refused(changedBody(changed, by));
  }
  return refused(mismatch);
}

export function digestOf(secret: string, body: Buffer): Buffer {
  return createHmac('sha256', secret).update(body).digest();
}
