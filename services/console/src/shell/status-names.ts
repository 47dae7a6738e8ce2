import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api, mayManage, revision } from './session';

const names = signal<Readonly<Record<string, string>>>({});
let asked = -1;

/** What the shop calls its statuses, by their keys. Read once, and again after an outage; viewers may not. */
export function useStatusNames(): Readonly<Record<string, string>> {
  useEffect(() => void (mayManage.value && read(revision.value).catch(() => undefined)), [revision.value]);
  return names.value;
}

async function read(again: number): Promise<void> {
  if (asked === again) return;
  asked = again;
  const answer = await api('GET /v1/rule-builder/search-content', { query: { source: 'order_statuses', limit: 100 } });
  const found = answer.ok ? answer.body.results : [];
  names.value = Object.fromEntries(found.map(({ value, label }) => [value.replace(/^wc-/, ''), label]));
}
