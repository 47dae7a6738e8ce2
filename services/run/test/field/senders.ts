import { execFileSync } from 'node:child_process';
import { createHmac, createSign, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Answer, post, postSigned, type Running } from '../products';

/** Gateways as they really send: each signs its own webhooks. Started before the product, whose settings (`env`) name them. */
export type Senders = {
  readonly env: Readonly<Record<string, string>>;
  card(running: Running, event: object): Promise<Answer>;
  wallet(running: Running, event: object): Promise<Answer>;
  /** A form-encoded notification, which the product asks back about. */
  ipn(running: Running, fields: Readonly<Record<string, string>>): Promise<Answer>;
  /** To a connection that was made with `connectionSecret`. */
  generic(
    running: Running,
    connection: string,
    payload: unknown,
    more?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
  stop(): void;
};

export const connectionSecret = randomBytes(24).toString('hex');
export const receiver = 'merchant@shop.example';
const webhookId = 'WEBHOOK0123456789';
const certificateId = 'CERT-FIELD-1';

export async function startSenders(): Promise<Senders> {
  const folder = mkdtempSync(join(tmpdir(), 'field-wallet-'));
  const names = ['-subj', '/CN=messages.wallet.example', '-addext', 'subjectAltName=DNS:messages.wallet.example'];
  const files = ['-keyout', 'key.pem', '-out', `${certificateId}.pem`];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '30', ...names, ...files], {
    cwd: folder,
    stdio: 'pipe',
  });
  const key = readFileSync(join(folder, 'key.pem'));
  rmSync(join(folder, 'key.pem'));
  const trust = join(folder, `${certificateId}.pem`);
  const verifier = createServer((request, response) => request.resume().on('end', () => response.end('VERIFIED')));
  await once(verifier.listen(0, '127.0.0.1'), 'listening');
  const { port } = verifier.address() as AddressInfo;
  return {
    env: {
      GATEWAY_WALLET_WEBHOOK_ID: webhookId,
      GATEWAY_WALLET_CERTIFICATES: folder,
      GATEWAY_WALLET_TRUST: trust,
      GATEWAY_WALLET_SUBJECT: '*.wallet.example',
      GATEWAY_WALLET_IPN_VERIFY_URL: `http://127.0.0.1:${port}/verify`,
      GATEWAY_WALLET_RECEIVER: receiver,
    },
    card: (running, event) => postSigned(running, JSON.stringify(event)),
    wallet: async (running, event) => {
      const body = Buffer.from(JSON.stringify(event));
      const [id, time] = [randomBytes(12).toString('hex'), new Date().toISOString()];
      const signature = createSign('RSA-SHA256')
        .update(`${id}|${time}|${webhookId}|${crc32(body)}`)
        .sign(key, 'base64');
      const headers = {
        'wallet-transmission-id': id,
        'wallet-transmission-time': time,
        'wallet-transmission-sig': signature,
        'wallet-cert-id': certificateId,
        'wallet-auth-algo': 'SHA256withRSA',
      };
      return (await post(running.url, { gateway: 'gateway_wallet', body, headers })).answer;
    },
    ipn: async (running, fields) => {
      const body = new URLSearchParams({ receiver_email: receiver, ...fields }).toString();
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      return (await post(running.url, { gateway: 'gateway_wallet', body, headers })).answer;
    },
    generic: async (running, connection, payload, more = {}) => {
      const body = JSON.stringify(payload);
      const headers = { ...more, 'x-signature': createHmac('sha256', connectionSecret).update(body).digest('hex') };
      return (await post(running.url, { gateway: `generic/${connection}`, body, headers })).answer;
    },
    stop: () => {
      verifier.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** An event of the card gateway about an object; `created` in seconds since the epoch. */
export function cardEvent(type: string, object: object, created = Math.floor(Date.now() / 1000), more = {}): object {
  const id = `evt_${randomBytes(10).toString('hex')}`;
  return { id, object: 'event', type, created, livemode: false, data: { object }, ...more };
}

/** An event of the wallet about a resource. */
export function walletEvent(event_type: string, resource_type: string, resource: object, at = new Date()): object {
  const id = `WH-${randomBytes(10).toString('hex')}`;
  return { id, event_type, resource_type, create_time: at.toISOString(), resource };
}
