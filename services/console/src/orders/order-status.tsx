import { signal } from '@preact/signals';
import { Status } from '../shell/parts';
import { api } from '../shell/session';

/** What the shop calls its statuses, those of plugins too. */
export const statusNames = signal<Readonly<Record<string, string>>>({});

export async function readStatuses(): Promise<void> {
  const query = { source: 'order_statuses', limit: 100 } as const;
  const answer = await api('GET /v1/rule-builder/search-content', { query }).catch(() => undefined);
  if (!answer?.ok) return;
  const named = answer.body.results.map(({ value, label }) => [value.replace(/^wc-/, ''), label]);
  statusNames.value = Object.fromEntries(named);
}

/** The status of an order under the name that the shop has for it. */
export function OrderStatus({ of }: { of: string }) {
  const label = statusNames.value[of];
  return <Status value={of} {...(label !== undefined && { label })} />;
}
