import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Context, type Proof, type RawInput, refused } from '../adapter';
import { authenticityRefusal, ofKnownSender, type Refusal } from '../refusal';
import { changedBodies, isWorthDiagnosis, oneHeader } from '../signature';
import { certificateProblem, type Trust, type WalletCertificate } from './certificates';

export type WalletSettings = {
  /** Id of the webhook at the gateway; without one no JSON webhook can be proven. */
  readonly webhookId: string | undefined;
  readonly certificateById: (id: string) => WalletCertificate | undefined;
  readonly trust: () => Trust;
};

/** The certificate id that test webhooks name: their key comes with the call. */
export const testCertificate = 'order-automation-test';

const algorithm = 'SHA256withRSA';
/** Seconds: a transmission id is remembered for 35 days, so that an older one could be used twice. */
const oldest = 30 * 24 * 60 * 60;
const ahead = 300;

const names = ['transmission-id', 'transmission-time', 'transmission-sig', 'auth-algo', 'cert-id', 'cert-url'] as const;
type Name = (typeof names)[number];
type Headers = Readonly<Partial<Record<Name, string>>>;

/**
 * `<id>|<time>|<webhook id>|<crc32 of the body>`, signed with the key of a certificate that the operator has loaded (decisions.md section
 * 6). A CRC-32 can be forged: the transmission id is single-use and bound to the body's SHA-256.
 */
export function verifyWalletSignature(
  input: RawInput,
  settings: WalletSettings,
  context: Pick<Context, 'testProof' | 'withinRate'>,
): Proof {
  const { webhookId } = settings;
  if (webhookId === undefined)
    return refused(
      authenticityRefusal('gateway_not_configured', 'The webhook id is missing in the settings of the wallet.'),
    );
  const headers = headersOf(input);
  if ('code' in headers) return refused(headers as Refusal);
  const transmission = readTransmission(headers, input.now);
  if ('code' in transmission) return refused(transmission);
  const key = keyOf(transmission.certificate, settings, { testProof: context.testProof, now: input.now });
  if ('code' in key) return refused(key as Refusal);
  const fits = (body: Buffer): boolean => {
    const content = `${transmission.id}|${transmission.time}|${webhookId}|${crc32(body)}`;
    return verify('RSA-SHA256', Buffer.from(content), key as KeyObject, transmission.signature);
  };
  if (fits(input.body)) return { kind: 'authentic', singleUse: `gateway_wallet:${transmission.id}` };
  for (const { body, text } of isWorthDiagnosis(input.body, context) ? changedBodies(input.body) : [])
    if (fits(body)) return refused(ofKnownSender(authenticityRefusal('body_changed', text)));
  return refused(
    authenticityRefusal(
      'signature_mismatch',
      'The certificate’s key did not sign this body for the webhook id in the settings of the wallet. Is it the id of this very webhook?',
    ),
  );
}

/** Each header once, under its own name or its alias. */
function headersOf(input: RawInput): Headers | Refusal {
  const found: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = oneHeader(input, [`wallet-${name}`, `paypal-${name}`], `Wallet-${name}`);
    if (typeof value === 'string') found[name] = value;
    else if (value.code !== 'signature_missing') return value;
  }
  return found;
}

type Transmission = {
  readonly id: string;
  readonly time: string;
  readonly signature: Buffer;
  readonly certificate: string;
};

function readTransmission(headers: Headers, now: number): Transmission | Refusal {
  const { 'transmission-id': id, 'transmission-time': time, 'transmission-sig': signature } = headers;
  if (id === undefined || time === undefined || signature === undefined)
    return authenticityRefusal('signature_missing', 'A Wallet-Transmission header (Id, Time or Sig) is missing.');
  if (headers['auth-algo'] !== algorithm)
    return authenticityRefusal('algorithm_refused', `Wallet-Auth-Algo is not ${algorithm}.`);
  const certificate = headers['cert-id'] ?? lastSegment(headers['cert-url']);
  if (certificate === undefined)
    return authenticityRefusal('signature_missing', 'Neither Wallet-Cert-Id nor Wallet-Cert-Url names a certificate.');
  if (!/^[\x21-\x7e]{1,150}$/.test(id) || id.includes('|') || !/^[A-Za-z0-9+/]{4,1400}={0,2}$/.test(signature))
    return authenticityRefusal('signature_malformed', 'Wallet-Transmission-Id or -Sig is malformed.');
  const at = /^\d{4}-\d{2}-\d{2}T[\d:.]{5,20}(Z|[+-]\d{2}:?\d{2})$/.test(time) ? Date.parse(time) : Number.NaN;
  if (Number.isNaN(at))
    return authenticityRefusal('signature_malformed', 'Wallet-Transmission-Time is not an ISO 8601 time.');
  const age = Math.round((now - at) / 1000);
  if (age > oldest || age < -ahead)
    return authenticityRefusal(
      'signature_expired',
      `The transmission's time is ${Math.abs(age)} s ${age > 0 ? 'old' : 'ahead'}.`,
    );
  return { id, time, signature: Buffer.from(signature, 'base64'), certificate };
}

/** An address only names the certificate: nothing is ever fetched from it. */
const lastSegment = (url: string | undefined): string | undefined => /\/([A-Za-z0-9._-]{1,200})$/.exec(url ?? '')?.[1];

function keyOf(
  id: string,
  { certificateById, trust }: WalletSettings,
  { testProof, now }: { readonly testProof: string | null; readonly now: number },
): KeyObject | Refusal {
  if (testProof !== null && id === testCertificate) return createPublicKey(testProof);
  const certificate = certificateById(id);
  const shown = id.slice(0, 100);
  if (!certificate)
    return authenticityRefusal(
      'certificate_unknown',
      `No certificate "${shown}" is loaded. Load it under Connections, in the card of the wallet.`,
    );
  const problem = certificateProblem(certificate, trust(), now);
  if (problem)
    return authenticityRefusal('certificate_refused', `The certificate "${shown}" proves nothing: ${problem}.`);
  return certificate.leaf.publicKey;
}
