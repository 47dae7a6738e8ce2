import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { to } from './router';
import { api } from './session';

const numbers = signal<Readonly<Record<number, string>>>({});
const asked = new Set<number>();
const waiting: number[] = [];

/** The number of an order by its id, where the shop gave it another one. Orders that are shown together are read together. */
export function useOrderNumber(id: number | null): string | undefined {
  useEffect(() => {
    if (id === null || asked.has(id)) return;
    asked.add(id);
    if (waiting.push(id) === 1) setTimeout(() => void read());
  }, [id]);
  return id === null ? undefined : numbers.value[id];
}

async function read(): Promise<void> {
  while (waiting.length > 0) {
    const ids = waiting.slice(0, 100);
    const answer = await api('GET /v1/shop/order-numbers', { query: { ids: ids.join() } }).catch(() => undefined);
    const orders = answer?.ok ? answer.body.orders : [];
    const others = orders.flatMap(({ id, number }) => (number === String(id) ? [] : [[id, number] as const]));
    numbers.value = { ...numbers.value, ...Object.fromEntries(others) };
    waiting.splice(0, ids.length);
  }
}

/** An order by its id, and by its number where that is another. */
export function OrderLink({ id, text = '' }: { id: number; text?: string }) {
  const number = useOrderNumber(id);
  return (
    <a href={to(`/orders/${id}`)}>
      {text}
      {id}
      {number && <small> (number {number})</small>}
    </a>
  );
}
