import { useGet } from '../shell/load';

/** What the shop calls its statuses, those of plugins too. */
export function useStatusNames(): Readonly<Record<string, string>> {
  const found = useGet('GET /v1/rule-builder/search-content', { query: { source: 'order_statuses', limit: 100 } });
  return Object.fromEntries((found.data?.results ?? []).map(({ value, label }) => [value.replace(/^wc-/, ''), label]));
}
