import {
  type EventDescription,
  type GenericType,
  type WalletEventId,
  walletEventNames,
  walletEvents,
  walletFormKinds,
} from '@order-automation/contracts';
import states from './states.json';

/** Payments of a subscription, the first or a later one. */
const kindsOfRenewal: ReadonlySet<string> = new Set(states.renewal_kinds);

/** What it is about where the state of the payment (`payment_status`) says it. */
const statesOfForm = new Map(Object.entries(states.form) as [string, WalletEventId][]);
const captureStates = new Map(Object.entries(states.capture) as [string, WalletEventId][]);
const renewalStates = new Map(Object.entries(states.renewal) as [string, WalletEventId][]);

const byId = new Map<string, EventDescription>(Object.entries(walletEvents));

/** One of our ids, or what the gateway calls an event that has none: in lower case, with underscores. */
export const walletEventId = (type: string): string =>
  walletEventNames.get(type.toUpperCase()) ?? type.toLowerCase().replace(/[^a-z0-9]+/g, '_');

/** The gateway's own name of one of our ids, where it has one. */
export function originalName(eventId: string): string {
  for (const [name, id] of walletEventNames) if (id === eventId) return name;
  return eventId;
}

/**
 * The id of a form-encoded notification; `pendingReason` tells an authorisation from a payment that waits. A chargeback of a card has a case and no kind
 * (developer.paypal.com/api/nvp-soap/ipn/IPNandPDTVariables, "IPN transaction types").
 */
export function formEventId(kind: string, status: string, pendingReason: string, caseType = ''): string | undefined {
  const state = status.toLowerCase();
  if (kind === '' && state === '' && caseType !== '') return 'dispute_opened';
  const known = walletFormKinds.get(kind);
  if (known) return known;
  if (kind === 'masspay') return /^(?:denied|failed)$/.test(state) ? 'mass_payment_failed' : 'mass_payment_completed';
  // Money that goes out, whatever its state (`payment_status`).
  if (kind === 'payout') return kind;
  const renewal = kindsOfRenewal.has(kind) ? renewalStates.get(state) : undefined;
  if (renewal) return renewal;
  if (state === 'pending' && pendingReason === 'authorization') return 'authorization_created';
  return statesOfForm.get(state) ?? (state === '' ? kind : state).replace(/[^a-z0-9]+/g, '_') ?? undefined;
}

/** What a checkout that is completed has paid, by the state of its capture (developer.paypal.com/docs/api/orders/v2, capture `status`). */
export const capturedType = (state: string): GenericType | undefined =>
  walletGenericType(captureStates.get(state.toLowerCase()) ?? '') ?? undefined;

/** The generic type of an id or of one of the gateway's own names. */
export const walletGenericType = (type: string): GenericType | null => byId.get(walletEventId(type))?.generic ?? null;
