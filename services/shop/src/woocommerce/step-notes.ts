import type { CommandResult } from '@order-automation/contracts';
import { changeIdOf, type NoteCommand, repeatedResult } from '../orders/commands';
import { failed, missing, noteResult } from './decide';
import type { WooCommerceDeps } from './deps';
import { isMissing, ShopRefusal } from './failures';
import { asFields, marked, markOf } from './order-mapping';
import { confirmed, type Working } from './step-edits';

const pathOf = (orderId: number): string => `wc/v3/orders/${orderId}/notes`;

/** Ids of the commands that notes of the order carry. */
export async function notedCommands(
  orderId: number,
  { shop }: Pick<WooCommerceDeps, 'shop'>,
): Promise<ReadonlySet<string>> {
  const { items } = await shop.page(pathOf(orderId));
  return new Set(items.flatMap((one) => markOf(String(asFields(one).note)) ?? []));
}

/** Writes the note, unless it is among those that the order has (`there`). */
export async function addNote(
  command: NoteCommand,
  there: ReadonlySet<string>,
  working: Working,
): Promise<CommandResult> {
  const { shop, order, telemetry } = working;
  const { note, customer_note } = command.command;
  const path = pathOf(order.id);
  const id = changeIdOf(command);
  const result = noteResult(command, order);
  if (there.has(id)) return repeatedResult(result);
  try {
    const mark = await confirmed(working, {
      what: `POST ${path}`,
      send: async () => {
        const written = asFields(await shop.write('POST', path, { note: marked(note, id), customer_note }));
        return markOf(String(written.note)) ?? '';
      },
      find: async () => ((await notedCommands(order.id, working)).has(id) ? id : null),
    });
    if (mark !== id) telemetry.markLost(order.id);
    return result;
  } catch (error) {
    if (!(error instanceof ShopRefusal)) throw error;
    return isMissing(error) ? missing(command) : failed(command, `WooCommerce refused it: ${error.said}`);
  }
}
