import {
  cardEventId,
  cardEvents,
  type EventDescription,
  isGenericType,
  type WalletEventId,
  walletEventNames,
  walletEvents,
  walletFormKinds,
} from '@order-automation/contracts';

const cardIds: ReadonlySet<string> = new Set(Object.keys(cardEvents));
/** Those ids of the wallet that are no generic types as well. */
const walletIds: ReadonlySet<string> = new Set(Object.keys(walletEvents).filter((id) => !isGenericType(id)));

/** Kinds of the wallet's notifications that no other sender has; `adjustment` may be anybody's. */
const isOfForm = /^(?:recurring_payment|subscr|mp)_/;
/** Names of the wallet that mean one of several things (decisions.md section 12): a rule that names one listens to all. */
const several: ReadonlyMap<string, readonly WalletEventId[]> = new Map([
  ['customer.dispute.resolved', ['dispute_resolved', 'dispute_won', 'dispute_lost']],
  [
    'subscr_payment',
    ['recurring_payment', 'renewal_payment_pending', 'renewal_payment_processing', 'recurring_payment_failed'],
  ],
]);

/**
 * The one form in which an event type is stored (decisions.md section 4, `webhook_event`): a generic type as it is, an id of an adapter with its
 * family (`payment.card.charge_failed`), whichever of its spellings was written. What nobody knows stays as it is: generic senders make up their own.
 */
export function eventTypeForm(written: string): string {
  const text = written.trim();
  const family = /^payment\.(card|wallet)\.(.+)$/.exec(text);
  if (family) {
    const id = (family[2] ?? '').replaceAll('.', '_');
    return `payment.${family[1]}.${id}`;
  }
  const ofForm = isOfForm.test(text) ? walletFormKinds.get(text) : undefined;
  const ofWallet = walletEventNames.get(text.toUpperCase()) ?? ofForm ?? (walletIds.has(text) ? text : undefined);
  if (ofWallet) return `payment.wallet.${ofWallet}`;
  if (isGenericType(text)) return text;
  const id = cardEventId(text);
  return cardIds.has(id) ? `payment.card.${id}` : text;
}

const tables: Record<string, Record<string, EventDescription>> = { card: cardEvents, wallet: walletEvents };

/** An event type in its form, the gateway that sends it, and what is known of it there; its generic type, where it has one. */
export function gatewayEvent(event_type: string) {
  const form = eventTypeForm(event_type);
  const [, family, id = ''] = /^payment\.(card|wallet)\.(.+)$/.exec(form) ?? [];
  const known = family === undefined ? undefined : tables[family]?.[id];
  const type = known ? known.generic : isGenericType(form) ? form : null;
  return { form, type, label: known?.label, gateway: family === undefined ? 'generic' : `gateway_${family}` };
}

/** Each once, in its one form. */
export const eventTypeForms = (written: readonly string[]): string[] => [...new Set(written.flatMap(formsOf))];

function formsOf(written: string): string[] {
  const ids = several.get(written.trim().toLowerCase());
  return ids ? ids.map((id) => `payment.wallet.${id}`) : [eventTypeForm(written)];
}
