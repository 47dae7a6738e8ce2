import { createHmac } from 'node:crypto';
import type { Context, Proof, RawInput } from '../adapter';
import type { LiveSecret } from '../connection';
import { authenticityRefusal, type Refusal } from '../refusal';
import { equalBytes, oneHeader, type Signature, verifySignature } from '../signature';

export const signatureHeader = 'x-wc-webhook-signature';

export const noSecret = authenticityRefusal(
  'no_secret_configured',
  'No secret is configured (GATEWAY_SHOP_SECRETS, or a secret of the gateway): every webhook of the shop is refused.',
);
const malformed = authenticityRefusal('signature_malformed', 'The signature is not 44 characters of base64.');
const mismatch = authenticityRefusal('signature_mismatch', 'No configured secret made this signature for this body.');

/** Base64 HMAC-SHA256 of the body (decisions.md section 5). The shop says nothing about time, so neither can this. */
export function verifyShopSignature(
  input: RawInput,
  secrets: readonly LiveSecret[],
  context: Pick<Context, 'withinRate'>,
): Proof {
  return verifySignature(input, { secrets, noSecret, mismatch, read: () => readSignature(input) }, context);
}

function readSignature(input: RawInput): Signature | Refusal {
  const value = oneHeader(input, [signatureHeader], 'X-WC-Webhook-Signature');
  if (typeof value === 'object') return value;
  if (!/^[A-Za-z0-9+/]{43}=$/.test(value)) return malformed;
  const digest = Buffer.from(value, 'base64');
  return { fits: (secret, body) => equalBytes(digest, digestOf(secret, body)) };
}

export function digestOf(secret: string, body: Buffer): Buffer {
  return createHmac('sha256', secret).update(body).digest();
}
