import type { CommandResult, Order } from '@order-automation/contracts';
import type { EditCommand } from '../orders/commands';
import { decide, type MetaField } from './decide';
import { tagsKey, tagsOf } from './order-mapping';

/** One request for several commands. */
export type PlannedWrite = {
  readonly status?: string;
  readonly meta: readonly MetaField[];
  /** `from` and `to` are for the mark of the command. */
  readonly edits: readonly { readonly command: EditCommand; readonly from: string | null; readonly to: string }[];
};

export type Plan = {
  readonly writes: readonly PlannedWrite[];
  /** Of the commands for which nothing is to be written. */
  readonly results: readonly CommandResult[];
};

/** What commands mean for the order as it is, one after the other, in as few requests as WooCommerce needs: one for each status. Pure. */
export function planEdits(order: Order, commands: readonly EditCommand[]): Plan {
  const writes: PlannedWrite[] = [];
  const results: CommandResult[] = [];
  let current = order;
  for (const command of commands) {
    const decision = decide(current, command);
    if (!decision.write) {
      results.push(decision.result);
      continue;
    }
    const { status, meta, from, to } = decision;
    const last = writes.at(-1);
    const joins = last !== undefined && (status === undefined || last.status === undefined);
    const { meta: before = [], edits = [], ...rest } = joins ? last : {};
    const write = {
      ...rest,
      ...(status === undefined ? {} : { status }),
      // A later value of a field replaces an earlier one.
      meta: [...new Map([...before, ...meta].map((field) => [field.key, field])).values()],
      edits: [...edits, { command, from, to }],
    };
    writes.splice(joins ? -1 : writes.length, 1, write);
    current = editedBy(current, status, meta);
  }
  return { writes, results };
}

export function editedBy(order: Order, status: string | undefined, meta: readonly MetaField[]): Order {
  const names = new Set(meta.map(({ key }) => key));
  const kept = order.meta_data.filter(({ key }) => !names.has(key));
  const tags = meta.find(({ key }) => key === tagsKey);
  return {
    ...order,
    ...(status === undefined ? {} : { status }),
    meta_data: [...kept, ...meta.map((field) => ({ ...field }))],
    ...(tags === undefined ? {} : { tags: tagsOf(tags.value) }),
  };
}
