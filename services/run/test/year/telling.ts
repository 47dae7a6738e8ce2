import type { NewAuditEntry } from '@order-automation/contracts';
import type { End } from './model';

/** What the notes of an order and its entries in the log come to. */
export function endIn(all: readonly string[], entries: readonly NewAuditEntry[]): Pick<End, 'notes' | 'logged'> {
  const notes: Record<string, number> = {};
  for (const note of all.filter((text) => /^[A-Z]+$/.test(text)).sort()) notes[note] = (notes[note] ?? 0) + 1;
  const count = (type: string): number => entries.filter(({ event_type }) => event_type === type).length;
  return { notes, logged: { created: count('order_created'), changed: count('order_status_changed') } };
}

export const lineOf = ({ timestamp, event_type, summary, process_id }: NewAuditEntry): string =>
  `${timestamp.slice(11, 23)} ${process_id.slice(-6)} ${event_type}: ${summary}`;

/** What a test asks of the log. */
export const telling = (entries: () => readonly NewAuditEntry[]) => ({
  /** Of those processes the ones of which the log does not say how they ended. */
  silent: (processes: readonly string[]): string[] => {
    const isEnd = ({ event_type, details }: NewAuditEntry): boolean =>
      details.outcome !== undefined || event_type === 'event_waiting';
    const ended = new Set(
      entries()
        .filter(isEnd)
        .map(({ process_id }) => process_id),
    );
    return processes.filter((one) => !ended.has(one));
  },
  /** What the log says of these processes, and of the order. */
  summaries: (processes: readonly string[], order: number): string[] => {
    const wanted = new Set(processes);
    return entries()
      .filter(({ process_id, order_id }) => wanted.has(process_id) || order_id === order)
      .map(lineOf);
  },
});
