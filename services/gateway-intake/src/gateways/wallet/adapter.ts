import { walletEvents } from '@order-automation/contracts';
import {
  type AdapterStatus,
  authentic,
  type Context,
  type GatewayAdapter,
  type NormalizedEvent,
  type Proof,
  refused,
} from '../adapter';
import { isForm, parseForm } from '../form';
import { keyOfBody, keyOfId } from '../idempotency-keys';
import { objectAt, type Payload, parsePayload, scalarAt, scalarIn, withoutEmpty } from '../payload';
import { authenticityRefusal } from '../refusal';
import { walletGenericType } from './events';
import {
  earlierNotificationKey,
  notificationEvent,
  notificationEventId,
  notificationKey,
  notificationTransaction,
  receiverObjection,
} from './notification';
import { disowned, type PostBack } from './post-back';
import { resourceEvent } from './resource';
import { walletEvent, walletSampler } from './samples';
import { verifyWalletSignature, type WalletSettings } from './signature';

export const walletGateway = 'gateway_wallet';

export type WalletOptions = WalletSettings & {
  readonly postBack: PostBack | undefined;
  /** Our addresses and account ids at the wallet, in lower case; none: every notification is refused. */
  readonly receivers: ReadonlySet<string>;
  /** How many certificates are loaded. */
  readonly certificates: () => number;
};

const inactive =
  'Every webhook of the wallet is refused until its webhook id is entered in the settings of the wallet, or its notifications (IPN) are verified.';
const noCertificates = 'JSON webhooks are refused until a certificate of the wallet is loaded.';
const noReceivers =
  'Notifications (IPN) are refused until your e-mail addresses or account ids at the wallet are entered in its settings: the wallet confirms payments to anybody.';
const noSample = 'A test sends a signed webhook, which needs the webhook id in the settings of the wallet.';
const formsRefused = authenticityRefusal(
  'ipn_not_configured',
  'Form-encoded notifications (IPN) are refused until the settings of the wallet say where they are verified.',
);
const receiverUnknown = authenticityRefusal('ipn_receiver_not_configured', noReceivers);
const notAsked = authenticityRefusal(
  'ipn_not_asked',
  'The wallet was not asked: this address has sent too much that proved nothing.',
);

/** Milliseconds that a sender waits for the wallet's answer (decisions.md section 6), and that the relay does. */
const timeout = { sender: 2_000, relay: 10_000 } as const;

/** The wallet gateway (sections 5 and 6.2 of the specification, decisions.md section 6): signed JSON, and form-encoded notifications. */
export function walletAdapter(options: WalletOptions): GatewayAdapter<NormalizedEvent> {
  const sampler = walletSampler();
  return {
    gateway: walletGateway,
    displayName: 'Wallet gateway',
    description:
      'PayPal, and wallets that sign as it does: payments, subscriptions and disputes, as webhooks and as the older notifications (IPN)',
    capabilities: ['certificates', 'post_back', 'subscriptions', 'refunds', 'disputes', 'test_events'],
    status: () => statusOf(options),
    getSupportedEventTypes: () => Object.keys(walletEvents),
    eventTypes: walletEvents,
    isUnauthenticated: (input) => isForm(input) && takesForms(options),
    validateAuthenticity: (input, context) =>
      isForm(input) ? askWallet(options, input.body, context) : verifyWalletSignature(input, options, context),
    confirm: async (body) => (takesForms(options) ? options.postBack?.(body, timeout.relay) : undefined),
    parse: (input) => (isForm(input) ? parseForm(input.body) : parsePayload(input.body)),
    canHandle: (input) =>
      isForm(input) ? notificationEventId(input.payload) !== undefined : isJsonEvent(input.payload),
    normalize: (input) => (isForm(input) ? notificationEvent(input.payload) : resourceEvent(input.payload)),
    objection: (input) => (isForm(input) ? receiverObjection(input.payload, options.receivers) : undefined),
    computeIdempotencyKey: (input) => {
      const { connection, body, payload } = input;
      const id = isForm(input) ? notificationKey(payload) : scalarAt(payload, 'id');
      return id === undefined ? keyOfBody(walletGateway, connection, body) : keyOfId(walletGateway, id);
    },
    earlierKey: (input) => {
      const id = isForm(input) ? earlierNotificationKey(input.payload) : undefined;
      return id === undefined ? undefined : keyOfId(walletGateway, id);
    },
    extractTransactionId: (payload) => resourceEvent(payload)[0]?.transactionID ?? notificationTransaction(payload),
    extractGatewaySpecificMetadata: ({ payload }) =>
      withoutEmpty({
        gateway_event_id: scalarIn(payload, 'id', 'ipn_track_id'),
        gateway_event_type: scalarIn(payload, 'event_type', 'txn_type', 'payment_status'),
        resource_version: scalarAt(payload, 'resource_version'),
      }),
    mapEventType: walletGenericType,
    sample: (eventType, order, now) => {
      const { webhookId } = options;
      return webhookId === undefined ? undefined : sampler(webhookId, eventType, order, now);
    },
    unsigned: noSample,
    draft: (eventType, order, now) => ({
      headers: {},
      body: Buffer.from(JSON.stringify(walletEvent(eventType, order, now))),
    }),
  };
}

function statusOf(options: WalletOptions): AdapterStatus {
  const { webhookId, postBack, certificates, receivers } = options;
  if (webhookId === undefined && !takesForms(options))
    return { active: false, reason: postBack === undefined ? inactive : noReceivers };
  const warnings = [
    ...(webhookId !== undefined && certificates() === 0 ? [noCertificates] : []),
    ...(postBack !== undefined && receivers.size === 0 ? [noReceivers] : []),
  ];
  return warnings.length === 0 ? { active: true } : { active: true, warning: warnings.join(' ') };
}

/** Anybody who pays himself gets a true notification: without our own names at the wallet none can be told from one to us. */
const takesForms = ({ postBack, receivers }: WalletOptions): boolean => postBack !== undefined && receivers.size > 0;

async function askWallet(
  options: WalletOptions,
  body: Buffer,
  { withinRate }: Pick<Context, 'withinRate'>,
): Promise<Proof> {
  const { postBack } = options;
  if (!postBack) return refused(formsRefused);
  if (!takesForms(options)) return refused(receiverUnknown);
  if (!withinRate) return refused(notAsked);
  const answer = await postBack(body, timeout.sender);
  if (answer === undefined) return { kind: 'verifying' };
  return answer ? authentic : refused(disowned);
}

function isJsonEvent(payload: Payload): boolean {
  const type = scalarAt(payload, 'event_type');
  return type !== undefined && /^[A-Za-z0-9_.-]{1,150}$/.test(type) && objectAt(payload, 'resource') !== undefined;
}
