import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { SampleOrder, SampleWebhook } from '../adapter';
import { originalName } from './events';
import { testCertificate } from './signature';

type Fields = Record<string, unknown>;

/** Signs test webhooks with a key of its own that only the call which sends one trusts. */
export function walletSampler(webhookId: string) {
  let keys: { publicKey: KeyObject; privateKey: KeyObject } | undefined;
  return (eventType: string, order: SampleOrder, now: number): SampleWebhook => {
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
export function walletEvent(eventType: string, order: SampleOrder, now: number): Fields {
  const { type, resource } = resourceOf(eventType, order, new Date(now).toISOString());
  return {
    id: `WH-${order.transaction}-${eventType}`,
    event_version: '1.0',
    create_time: new Date(now).toISOString(),
    resource_type: type,
    resource_version: '2.0',
    event_type: originalName(eventType),
    summary: `A sample of ${eventType}`,
    resource,
  };
}

function resourceOf(eventType: string, order: SampleOrder, time: string): { type: string; resource: Fields } {
  const amount = { value: order.total, currency_code: order.currency };
  const facts = { custom_id: order.id, create_time: time, update_time: time };
  const { transaction } = order;
  if (eventType.startsWith('mass_payment')) {
    const batch_header = { payout_batch_id: `PB-${transaction}`, batch_status: 'SUCCESS' };
    return { type: 'payouts', resource: { batch_header } };
  }
  if (eventType.startsWith('dispute_')) return { type: 'dispute', resource: dispute(eventType, order, time) };
  if (
    /^(subscription|trial)_|profile_created$|_(suspended|cancelled)$/.test(eventType) &&
    !eventType.startsWith('payment_')
  )
    return { type: 'subscription', resource: { ...facts, id: `I-${transaction}`, status: statusOf(eventType) } };
  if (eventType.startsWith('express_checkout')) {
    const captures = eventType.endsWith('completed') ? [{ id: transaction, status: 'COMPLETED', amount }] : [];
    const unit = { amount, custom_id: order.id, payments: { captures } };
    return { type: 'checkout-order', resource: { id: `O-${transaction}`, status: 'APPROVED', purchase_units: [unit] } };
  }
  if (eventType === 'payment_refunded') {
    const href = `https://api.wallet.example/v2/payments/captures/${transaction}`;
    const links = [{ rel: 'up', method: 'GET', href }];
    return { type: 'refund', resource: { ...facts, id: `R-${transaction}`, status: 'COMPLETED', amount, links } };
  }
  const kind = eventType.startsWith('authorization_') ? 'authorization' : 'capture';
  const supplementary_data = { related_ids: { order_id: `O-${transaction}` } };
  const payment = { ...facts, id: transaction, status: statusOf(eventType), amount, supplementary_data };
  const recurring = /^(recurring|renewal)_/.test(eventType) ? { billing_agreement_id: `I-${transaction}` } : {};
  return { type: kind, resource: { ...payment, ...recurring } };
}

const outcomes = new Map([
  ['dispute_won', 'RESOLVED_SELLER_FAVOUR'],
  ['dispute_lost', 'RESOLVED_BUYER_FAVOUR'],
]);

function dispute(eventType: string, order: SampleOrder, time: string): Fields {
  const outcome_code = outcomes.get(eventType);
  return {
    dispute_id: `PP-D-${order.transaction}`,
    create_time: time,
    disputed_transactions: [{ seller_transaction_id: order.transaction, custom: order.id }],
    reason: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
    status: eventType === 'dispute_opened' ? 'OPEN' : 'RESOLVED',
    dispute_amount: { value: order.total, currency_code: order.currency },
    ...(outcome_code !== undefined && { dispute_outcome: { outcome_code } }),
  };
}

function statusOf(eventType: string): string {
  return eventType.replace(/^.*_/, '').toUpperCase();
}
