import { walletEvents } from '@order-automation/contracts';
import {
  type AdapterInput,
  type AdapterStatus,
  authentic,
  type GatewayAdapter,
  type Proof,
  type RawInput,
  refused,
} from '../adapter';
import { keyOfBody, keyOfId } from '../keys';
import { objectAt, type Payload, parsePayload, scalarAt, withoutEmpty } from '../payload';
import { untrusted } from '../refusal';
import { walletGenericType } from './events';
import { parseForm } from './form';
import { notificationEvent, notificationEventId, notificationKey, notificationTransaction } from './notification';
import type { PostBack } from './post-back';
import { receiverObjection } from './receiver';
import { resourceEvent, resourceTransaction } from './resource';
import { walletSampler } from './samples';
import { verifyWalletSignature, type WalletSettings } from './signature';

export const walletGateway = 'gateway_wallet';

export type WalletOptions = WalletSettings & {
  /** Asks the wallet about form-encoded notifications; undefined: they are refused. */
  readonly postBack: PostBack | undefined;
  /** Our addresses and account ids at the wallet, in lower case; none: notifications for any are believed. */
  readonly receivers: ReadonlySet<string>;
  /** How many certificates are loaded. */
  readonly certificates: () => number;
};

const inactive =
  'Neither GATEWAY_WALLET_WEBHOOK_ID nor GATEWAY_WALLET_IPN_VERIFY_URL is configured: every wallet webhook is refused.';
const noCertificates =
  'No certificate is loaded, so JSON webhooks are refused: load them with POST /webhooks/certificates or GATEWAY_WALLET_CERTIFICATES.';
const anyReceiver =
  'GATEWAY_WALLET_RECEIVER is not configured: a notification (IPN) of a payment to somebody else is believed as well.';
const formsRefused = untrusted(
  'ipn_not_configured',
  'Form-encoded notifications (IPN) are refused: GATEWAY_WALLET_IPN_VERIFY_URL is not configured.',
);
const disowned = untrusted('ipn_invalid', 'The wallet says that it did not send this notification (INVALID).');

/** Milliseconds that a sender waits for the wallet's answer (decisions.md section 6), and that the relay does. */
const patience = { sender: 2_000, relay: 10_000 } as const;

/** The wallet gateway (sections 5 and 6.2 of the specification, decisions.md section 6): signed JSON, and form-encoded notifications. */
export function walletAdapter(options: WalletOptions): GatewayAdapter {
  const { webhookId, postBack } = options;
  const sampler = webhookId === undefined ? undefined : walletSampler(webhookId);
  return {
    gateway: walletGateway,
    displayName: 'Wallet gateway',
    description:
      'Payments, subscriptions and disputes of the wallet, as signed JSON and as form-encoded notifications (IPN)',
    version: '1.0.0',
    capabilities: ['certificates', 'post_back', 'subscriptions', 'refunds', 'disputes', 'test_events'],
    status: () => statusOf(options),
    getSupportedEventTypes: () => Object.keys(walletEvents),
    eventTypes: walletEvents,
    validateAuthenticity: (input, { testProof }) =>
      isForm(input) ? askWallet(postBack, input.body) : verifyWalletSignature(input, options, testProof),
    ...(postBack && { confirm: (body: Buffer) => postBack(body, patience.relay) }),
    parse: (input) => (isForm(input) ? parseForm(input.body) : parsePayload(input.body)),
    canHandle: (input) =>
      isForm(input) ? notificationEventId(input.payload) !== undefined : isJsonEvent(input.payload),
    normalize: (input) => (isForm(input) ? notificationEvent(input.payload) : resourceEvent(input.payload)),
    objection: (input) => (isForm(input) ? receiverObjection(input.payload, options.receivers) : undefined),
    computeIdempotencyKey: keyOf,
    extractTransactionId: (payload) => resourceTransaction(payload) ?? notificationTransaction(payload),
    extractGatewaySpecificMetadata: ({ payload }) =>
      withoutEmpty({
        gateway_event_id: scalarAt(payload, 'id') ?? scalarAt(payload, 'ipn_track_id'),
        gateway_event_type:
          scalarAt(payload, 'event_type') ?? scalarAt(payload, 'txn_type') ?? scalarAt(payload, 'payment_status'),
        resource_version: scalarAt(payload, 'resource_version'),
      }),
    mapEventType: walletGenericType,
    ...(sampler && { sample: sampler }),
  };
}

function statusOf({ webhookId, postBack, certificates, receivers }: WalletOptions): AdapterStatus {
  if (webhookId === undefined && postBack === undefined) return { active: false, reason: inactive };
  const warnings = [
    ...(webhookId !== undefined && certificates() === 0 ? [noCertificates] : []),
    ...(postBack !== undefined && receivers.size === 0 ? [anyReceiver] : []),
  ];
  return warnings.length === 0 ? { active: true } : { active: true, warning: warnings.join(' ') };
}

/** The sender's Content-Type decides how it has to prove itself; each way is proof in itself. */
function isForm({ headers }: Pick<RawInput, 'headers'>): boolean {
  return headers['content-type']?.[0]?.toLowerCase().startsWith('application/x-www-form-urlencoded') === true;
}

async function askWallet(postBack: PostBack | undefined, body: Buffer): Promise<Proof> {
  if (!postBack) return refused(formsRefused);
  const answer = await postBack(body, patience.sender);
  if (answer === undefined) return { kind: 'verifying' };
  return answer ? authentic : refused(disowned);
}

function isJsonEvent(payload: Payload): boolean {
  const type = scalarAt(payload, 'event_type');
  return type !== undefined && /^[A-Za-z0-9_.-]{1,150}$/.test(type) && objectAt(payload, 'resource') !== undefined;
}

function keyOf(input: AdapterInput): string {
  const { connection, body, payload } = input;
  const id = isForm(input) ? notificationKey(payload) : scalarAt(payload, 'id');
  return id === undefined ? keyOfBody(walletGateway, connection, body) : keyOfId(walletGateway, id);
}
