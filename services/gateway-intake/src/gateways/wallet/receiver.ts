import { type Payload, scalarAt } from '../payload';
import { authenticityRefusal, type Refusal } from '../refusal';

const otherReceiver = authenticityRefusal(
  'other_receiver',
  'The notification is about a payment to an account that GATEWAY_WALLET_RECEIVER does not name: the money went to somebody else.',
);
const noReceiver = authenticityRefusal(
  'no_receiver',
  'The notification is about a payment and does not name its receiver, so nothing says that the money came to GATEWAY_WALLET_RECEIVER.',
);

/**
 * Why a notification must not act although the wallet confirms it. The wallet confirms what it has sent to anybody: a payment to an account of
 * the payer's own, with the number of one of our orders, is a true notification. `business` is an echo of what the
 * payment form said, which the payer can write: it proves nothing. `receivers` are our addresses and account ids in lower case.
 */
export function receiverObjection(payload: Payload, receivers: ReadonlySet<string>): Refusal | undefined {
  const named = (...fields: readonly string[]): string[] =>
    fields.map((field) => scalarAt(payload, field)?.trim().toLowerCase() ?? '').filter((name) => name !== '');
  const isOurs = (name: string): boolean => receivers.has(name);
  const accounts = named('receiver_id', 'receiver_email');
  if (accounts.some(isOurs)) return undefined;
  if (accounts.length > 0 || !named('business').every(isOurs)) return otherReceiver;
  return scalarAt(payload, 'payment_status') === undefined ? undefined : noReceiver;
}
