import { type Cause, type CommandResult, derivedId, type OrderCommand } from '@order-automation/contracts';

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

/** The id of the change that a command makes: a command that is repeated makes the same change. */
export const changeIdOf = ({ key, order_id }: Pick<KeyedCommand, 'key' | 'order_id'>): string =>
  `chg_${derivedId(order_id, key)}`;

/** The result at a repeat: a refusal is a refusal again; what was unchanged counts as done. */
export const repeatedResult = (result: CommandResult): CommandResult =>
  result.status === 'failed' ? result : { ...result, status: 'already_applied' };
