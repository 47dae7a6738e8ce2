// A gateway of your own: bank transfers that an accounting service reports.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { env } from 'node:process';

// biome-ignore lint/style/noProcessEnv: an extension reads settings of its own
const secret = env.BANK_TRANSFER_SECRET ?? '';
const types = { transfer_received: 'payment_completed', transfer_returned: 'payment_reversed' };

const bankTransfer = {
  gateway: 'gateway_bank',
  displayName: 'Bank transfers',
  getSupportedEventTypes: () => Object.keys(types),
  mapEventType: (type) => types[type] ?? null,
  validateAuthenticity: ({ headers, body }) => {
    const sent = Buffer.from(headers['x-bank-signature']?.[0] ?? '', 'hex');
    const wanted = createHmac('sha256', secret).update(body).digest();
    return secret.length >= 16 && sent.length === wanted.length && timingSafeEqual(sent, wanted);
  },
  canHandle: ({ payload }) => typeof payload.reference === 'string' && payload.kind in types,
  normalize: ({ payload }) => [
    {
      eventType: `payment.bank.${payload.kind}`,
      genericType: types[payload.kind],
      primaryObjectType: 'transfer',
      primaryObjectID: payload.id,
      secondaryObjectType: null,
      secondaryObjectID: null,
      transactionID: payload.id,
      amount: payload.amount,
      currency: payload.currency,
      amountProblem: null,
      status: null,
      reason: null,
      occurredAt: null,
      orderReference: { gateway_ids: [], order_id: payload.reference, transaction_id: payload.id },
    },
  ],
  computeIdempotencyKey: ({ payload }) => `gateway_bank:${payload.id}:${payload.kind}`,
  extractTransactionId: (payload) => payload.id ?? null,
  extractGatewaySpecificMetadata: ({ payload }) => ({ gateway_event_type: payload.kind }),
};

export const register_gateway_adapters = (router) => router.registerAdapter(bankTransfer);
