import { createHmac, timingSafeEqual } from 'node:crypto';
import { authentic, type Proof, type RawInput, refused } from '../adapter';
import { type LiveSecret, liveSecrets } from '../connection';
import { changedBodies, isWorthDiagnosis } from '../diagnosis';
import { untrusted } from '../refusal';

export const signatureHeader = 'x-wc-webhook-signature';

/** Base64 HMAC-SHA256 of the body (decisions.md section 5). The shop says nothing about time, so neither can this. */
export function verifyShopSignature(
  { headers, body, now }: RawInput,
  secrets: readonly LiveSecret[],
  context: { readonly diagnose: boolean },
): Proof {
  const live = liveSecrets(secrets, now);
  if (live.length === 0)
    return refused(
      untrusted(
        'no_secret_configured',
        'No secret is configured (GATEWAY_SHOP_SECRETS): every webhook of the shop is refused.',
      ),
    );
  const [value, ...more] = headers[signatureHeader] ?? [];
  if (value === undefined) return refused(untrusted('signature_missing', 'There is no X-WC-Webhook-Signature header.'));
  if (more.length > 0) return refused(untrusted('signature_repeated', 'The signature header came more than once.'));
  if (!/^[A-Za-z0-9+/]{43}=$/.test(value))
    return refused(untrusted('signature_malformed', 'The signature is not 44 characters of base64.'));
  const digest = Buffer.from(value, 'base64');
  const fits = (candidate: Buffer): boolean =>
    live.some((secret) => timingSafeEqual(digest, digestOf(secret, candidate)));
  if (fits(body)) return authentic;
  const changed = isWorthDiagnosis(body, context) ? changedBodies(body).find((one) => fits(one.body)) : undefined;
  return refused(
    changed
      ? untrusted('body_changed', changed.text)
      : untrusted('signature_mismatch', 'No configured secret made this signature for this body.'),
  );
}

export function digestOf(secret: string, body: Buffer): Buffer {
  return createHmac('sha256', secret).update(body).digest();
}
