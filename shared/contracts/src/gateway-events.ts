import tables from './gateway-events.json';
import type { GenericType } from './vocabulary';

/** What an adapter shows of one of its ids, and what it means; null: recorded, and only `webhook_event` listens to it. */
export type EventDescription = { readonly label: string; readonly generic: GenericType | null };

/**
 * Section 6.1 of the specification: the 52 ids of the card gateway and what each means in the generic vocabulary
 * (decisions.md section 4). Null: recorded, and only `webhook_event` listens to it.
 */
export const cardEvents = tables.card as Readonly<Record<keyof typeof tables.card, EventDescription>>;

/** Section 6.2 of the specification: the wallet gateway's 38 ids and their generic types. Null: recorded, and only `webhook_event` listens to it. */
export const walletEvents = tables.wallet as Readonly<Record<keyof typeof tables.wallet, EventDescription>>;
export type WalletEventId = keyof typeof walletEvents;

const walletIds = (table: Readonly<Record<string, string>>): ReadonlyMap<string, WalletEventId> =>
  new Map(Object.entries(table) as [string, WalletEventId][]);

/** The wallet's own names of its JSON events. */
export const walletEventNames = walletIds(tables.wallet_names);

/** What a form-encoded notification of the wallet is about where its kind (`txn_type`) says it. */
export const walletFormKinds = walletIds(tables.wallet_form_kinds);

/** `payment_intent.succeeded` and `payment_intent_succeeded` are the same id. */
export const cardEventId = (type: string): string => type.replaceAll('.', '_');

/** What names of events of one of our adapters begin with. */
export const ofFamily = /^payment\.[a-z_]+\./;

/** A gateway's own name of an event, in any of its spellings: `invoice.paid`, `INVOICE.PAID`, `payment.card.invoice_paid`. */
export const plainEventName = (event: string): string =>
  event
    .replace(ofFamily, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_');
