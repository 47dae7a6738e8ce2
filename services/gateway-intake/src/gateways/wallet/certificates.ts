import { X509Certificate } from 'node:crypto';
import { textOf } from '@order-automation/base';
import { ConfigError } from '@order-automation/service';
import texts from '../../variables.json';

/** A certificate with the intermediates that stood in the same PEM. */
export type WalletCertificate = {
  readonly id: string;
  readonly leaf: X509Certificate;
  readonly intermediates: readonly X509Certificate[];
};

export type Trust = {
  readonly roots: readonly X509Certificate[];
  /** What the certificate must be about: a host name, or `*.` and a domain. */
  readonly subject: string;
};

const pem = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;
const maxInChain = 10;

/** The certificates of a PEM, in its order. Throws when one cannot be read or there is none. */
export function readPem(text: string): X509Certificate[] {
  const blocks = text.match(pem) ?? [];
  if (blocks.length === 0) throw new Error('there is no certificate in PEM form');
  if (blocks.length > 1000) throw new Error('there are more than 1000 certificates');
  return blocks.map((block) => new X509Certificate(block));
}

/** Reads the files that a variable names. Throws ConfigError with what is wrong with them. */
export function readFor<T>(field: 'walletCertificates' | 'walletTrust', read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const { env: variable, example } = texts[field];
    throw new ConfigError([{ variable, problem: `cannot be read (${textOf(cause)})`, example }], { cause });
  }
}

/** The first certificate of a PEM is the wallet's, the others are intermediates. Throws when it cannot be read. */
export function walletCertificate(id: string, text: string): WalletCertificate {
  const [leaf, ...intermediates] = readPem(text);
  if (!leaf || intermediates.length > maxInChain) throw new Error(`there are more than ${maxInChain} certificates`);
  return { id, leaf, intermediates };
}

/** Why the certificate proves nothing at `now` (milliseconds since the epoch): time, key, subject or chain; undefined when it is good. */
export function certificateProblem(
  { leaf, intermediates }: WalletCertificate,
  trust: Trust,
  now: number,
): string | undefined {
  if (leaf.publicKey.asymmetricKeyType !== 'rsa') return 'its key is not an RSA key';
  if (!isAbout(leaf, trust.subject)) return `it is not about ${trust.subject}`;
  return chainProblem(leaf, intermediates, trust.roots, now);
}

function chainProblem(
  leaf: X509Certificate,
  intermediates: readonly X509Certificate[],
  roots: readonly X509Certificate[],
  now: number,
): string | undefined {
  let current = leaf;
  for (let step = 0; step <= maxInChain; step += 1) {
    const time = timeProblem(current, now);
    if (time) return step === 0 ? `it ${time}` : `an intermediate certificate ${time}`;
    const { fingerprint256 } = current;
    if (roots.some((root) => root.fingerprint256 === fingerprint256)) return undefined;
    const root = roots.find((candidate) => issued(candidate, current) && !timeProblem(candidate, now));
    if (root) return undefined;
    const next = intermediates.find((candidate) => candidate.ca && candidate !== current && issued(candidate, current));
    if (!next) return 'it does not lead to a certificate that is trusted (GATEWAY_WALLET_TRUST)';
    current = next;
  }
  return 'its chain does not end';
}

const issued = (issuer: X509Certificate, subject: X509Certificate): boolean =>
  subject.checkIssued(issuer) && subject.verify(issuer.publicKey);

function timeProblem({ validFrom, validTo }: X509Certificate, now: number): string | undefined {
  if (now < Date.parse(validFrom)) return `is not valid before ${validFrom}`;
  return now > Date.parse(validTo) ? `expired at ${validTo}` : undefined;
}

/** By its alternative names, or its common name where it has none. */
function isAbout({ subject, subjectAltName }: X509Certificate, wanted: string): boolean {
  const alternatives = (subjectAltName ?? '')
    .split(', ')
    .flatMap((name) => (name.startsWith('DNS:') ? [name.slice(4)] : []));
  const common = /^CN=(.+)$/m.exec(subject)?.[1];
  const names = alternatives.length > 0 ? alternatives : common === undefined ? [] : [common];
  return names.some((name) => covers(wanted.toLowerCase(), name.toLowerCase()));
}

function covers(wanted: string, name: string): boolean {
  if (!wanted.startsWith('*.')) return name === wanted;
  const domain = wanted.slice(1);
  return name.endsWith(domain) && name.length > domain.length && !name.slice(0, -domain.length).includes('.');
}
