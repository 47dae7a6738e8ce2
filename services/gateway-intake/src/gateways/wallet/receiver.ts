import { type Payload, scalarAt } from '../payload';
import { type Refusal, untrusted } from '../refusal';

const otherReceiver = untrusted(
  'other_receiver',
  'The notification is about a payment to an account that GATEWAY_WALLET_RECEIVER does not name: the money went to somebody else.',
);
const noReceiver = untrusted(
  'no_receiver',
  'The notification is about a payment and does not name its receiver, so nothing says that the money came to GATEWAY_WALLET_RECEIVER.',
);

/**
 * Why a notification must not act although the wallet confirms it. The wallet confirms what it has sent to anybody: a payment to an account of
 * the payer's own, with the number of one of our orders, is a true notification. `receivers` are our addresses and account ids in lower case.
 */
export function receiverObjection(payload: Payload, receivers: ReadonlySet<string>): Refusal | undefined {
  const named = ['receiver_email', 'receiver_id', 'business']
    .map((field) => scalarAt(payload, field)?.trim().toLowerCase())
    .filter((name) => name !== undefined && name !== '');
  if (named.some((name) => receivers.has(name as string))) return undefined;
  if (named.length > 0) return otherReceiver;
  return scalarAt(payload, 'payment_status') === undefined ? undefined : noReceiver;
}
