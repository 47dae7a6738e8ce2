import { execFileSync } from 'node:child_process';
import { createHash, createHmac, sign } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { cardSignature } from '../card-webhook';
import type { Webhook } from './plan';

const webhookId = 'WH-YEAR';
const certificate = 'CERT-YEAR';
export const senderSecrets = { card: 'whsec_year_0123456789abcdef', connection: 'a secret of the year 0123456789' };

/** What the card gateway and a connection by HMAC prove a body with. */
export function signatureOf(gateway: string, body: Buffer, now: number): Record<string, string[]> {
  if (gateway === 'gateway_card')
    return { 'stripe-signature': [cardSignature(senderSecrets.card, body, Math.floor(now / 1000))] };
  return { 'x-signature': [createHmac('sha256', senderSecrets.connection).update(body).digest('hex')] };
}

export type Senders = Awaited<ReturnType<typeof openSenders>>;

/** What the gateways prove their webhooks with, and the wallet's address that confirms notifications. `now` in milliseconds since the epoch. */
export async function openSenders(now: () => number) {
  const directory = mkdtempSync(join(tmpdir(), 'order-automation-year-'));
  const certificates = join(directory, 'certificates');
  mkdirSync(certificates);
  const [key, pem] = [join(directory, 'key.pem'), join(certificates, `${certificate}.pem`)];
  const subject = ['-subj', '/CN=messages.wallet.example', '-addext', 'subjectAltName=DNS:messages.wallet.example'];
  const made = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '30',
    '-keyout',
    key,
    '-out',
    pem,
    ...subject,
  ];
  execFileSync('openssl', made, { stdio: 'pipe' });
  const privateKey = readFileSync(key, 'utf8');
  const verifier = createServer((request, response) => {
    request.resume().on('end', () => response.end('VERIFIED'));
  }).listen(0, '127.0.0.1');
  await once(verifier, 'listening');
  const { port } = verifier.address() as AddressInfo;

  const walletHeaders = (body: Buffer): Record<string, string[]> => {
    const id = createHash('sha256').update(body).digest('hex');
    const time = new Date(now()).toISOString();
    const content = Buffer.from(`${id}|${time}|${webhookId}|${crc32(body)}`);
    return {
      'paypal-transmission-id': [id],
      'paypal-transmission-time': [time],
      'paypal-transmission-sig': [sign('RSA-SHA256', content, privateKey).toString('base64')],
      'paypal-auth-algo': ['SHA256withRSA'],
      'paypal-cert-url': [`https://api.wallet.example/v1/notifications/certs/${certificate}`],
    };
  };
  return {
    secret: senderSecrets.connection,
    /** The configuration that believes these senders. */
    env: {
      GATEWAY_CARD_SECRETS: senderSecrets.card,
      GATEWAY_WALLET_WEBHOOK_ID: webhookId,
      GATEWAY_WALLET_CERTIFICATES: certificates,
      GATEWAY_WALLET_TRUST: pem,
      GATEWAY_WALLET_SUBJECT: '*.wallet.example',
      GATEWAY_WALLET_IPN_VERIFY_URL: `http://127.0.0.1:${port}/`,
      GATEWAY_WALLET_RECEIVER: 'shop@merchant.example',
    },
    /** The headers under which the gateway sends it. */
    headersOf: ({ gateway, form, body }: Webhook): Record<string, string[]> => {
      const bytes = Buffer.from(body);
      if (form) return { 'content-type': ['application/x-www-form-urlencoded'] };
      const json = { 'content-type': ['application/json'] };
      if (gateway === 'gateway_wallet') return { ...json, ...walletHeaders(bytes) };
      return { ...json, ...signatureOf(gateway, bytes, now()) };
    },
    close: async () => {
      verifier.close();
      verifier.closeAllConnections();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
