import { type Cause, type CommandResult, derivedId, type Order, type OrderCommand } from '@order-automation/contracts';

export type KeyedCommand = {
  readonly key: string;
  readonly order_id: number;
  readonly command: OrderCommand;
  readonly cause: Cause;
};

type Of<Kind extends OrderCommand['kind']> = KeyedCommand & { readonly command: { readonly kind: Kind } };
/** A command that changes the order itself; a note is a document of its own. */
export type EditCommand = Of<'set_status' | 'set_meta' | 'add_tag'>;
export type NoteCommand = Of<'add_note'>;

/** What was done; WooCommerce mails a note to the customer to the address in the order (class-wc-email-customer-note.php). */
export function noteText({ customer_note }: NoteCommand['command'], { billing }: Pick<Order, 'billing'>): string {
  if (!customer_note) return 'A note was added.';
  const isMailed = billing.email !== '';
  return `A note to the customer was added.${isMailed ? '' : ' It is mailed to nobody: the order has no e-mail address.'}`;
}

/** The id of the change that a command makes: a command that is repeated makes the same change. */
export const changeIdOf = ({ key, order_id }: Pick<KeyedCommand, 'key' | 'order_id'>): string =>
  `chg_${derivedId(order_id, key)}`;

/** The result at a repeat: a refusal is a refusal again; what was unchanged counts as done. */
export const repeatedResult = (result: CommandResult): CommandResult =>
  result.status === 'failed' ? result : { ...result, status: 'already_applied' };
