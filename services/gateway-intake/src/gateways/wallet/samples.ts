import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { SampleOrder, SampleWebhook } from '../adapter';
import { filled, type Samples } from '../samples';
import { originalName } from './events';
import samples from './samples.json';
import { testCertificate } from './signature';

const { objects, events }: Samples = samples;

/** Signs test webhooks with a key of its own that only the call which sends one trusts. */
export function walletSampler() {
  let keys: { publicKey: KeyObject; privateKey: KeyObject } | undefined;
  return (webhookId: string, eventType: string, order: SampleOrder, now: number): SampleWebhook => {
    keys ??= generateKeyPairSync('rsa', { modulusLength: 2048 });
    const body = Buffer.from(JSON.stringify(walletEvent(eventType, order, now)));
    const id = `test-${order.transaction}-${now}`;
    const time = new Date(now).toISOString();
    const content = Buffer.from(`${id}|${time}|${webhookId}|${crc32(body)}`);
    const headers = {
      'wallet-transmission-id': [id],
      'wallet-transmission-time': [time],
      'wallet-transmission-sig': [sign('RSA-SHA256', content, keys.privateKey).toString('base64')],
      'wallet-auth-algo': ['SHA256withRSA'],
      'wallet-cert-id': [testCertificate],
    };
    return { headers, body, testProof: keys.publicKey.export({ type: 'spki', format: 'pem' }).toString() };
  };
}

/** The payload of an event, with the fields that the gateway's JSON webhooks have. */
export function walletEvent(eventType: string, { id, total, currency, transaction }: SampleOrder, now: number) {
  const time = new Date(now).toISOString();
  const { type = 'capture', ...own } = events[eventType] ?? {};
  const values = {
    '{order}': id,
    '{total}': total,
    '{currency}': currency,
    '{transaction}': transaction,
    '{time}': time,
  };
  return {
    id: `WH-${transaction}-${eventType}`,
    event_version: '1.0',
    create_time: time,
    resource_type: type,
    resource_version: '2.0',
    event_type: originalName(eventType),
    summary: `A sample of ${eventType}`,
    resource: filled({ ...objects[String(type)], ...own }, values),
  };
}
