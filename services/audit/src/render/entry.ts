import type { AuditEntry } from '@order-automation/contracts';
import { type Html, html } from '@order-automation/service';
import wordsOfStatus from './status-words.json';

const words = (name: string): string => {
  const text = name.replaceAll('_', ' ').trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
};

const statusWords: Readonly<Record<string, string>> = wordsOfStatus;

/** One entry as an article: what happened first, then when and to what, then its details. */
export function renderEntry(entry: AuditEntry): Html {
  const { id, status, event_type, summary, timestamp, source, order_id, rule_id, duration_ms, is_test, is_debug } =
    entry;
  const facts = [
    ...(order_id === null ? [] : [html`order ${order_id}`]),
    ...(rule_id === null ? [] : [html`rule ${rule_id}`]),
    ...(duration_ms === null ? [] : [html`${duration_ms} ms`]),
    ...(is_test ? [html`test`] : []),
    ...(is_debug ? [html`debug`] : []),
  ];
  return html`<article data-status="${status}" aria-labelledby="oa-entry-${id}"><h3 id="oa-entry-${id}"><span class="oa-badge">${
    statusWords[status] ?? words(status)
  }</span>${summary}</h3><p class="oa-meta"><time datetime="${timestamp}">${timestamp
    .slice(0, 19)
    .replace(
      'T',
      ' ',
    )} UTC</time> · ${words(event_type)} · from ${source}${facts.map((fact) => html` · ${fact}`)} · entry ${id}</p>${renderDetails(entry.details)}</article>`;
}

type Row = Readonly<Record<string, unknown>>;

/** Lists of objects with these keys are tables; their columns, in order. */
const tables: Readonly<Record<string, readonly string[]>> = {
  conditions: ['label', 'result', 'expected', 'actual', 'reason'],
  actions: ['label', 'status', 'message'],
  changes: ['field', 'from', 'to'],
};

function renderDetails(details: Row): Html {
  const entries = Object.entries(details);
  const isTable = (name: string, value: unknown): value is readonly Row[] =>
    name in tables && Array.isArray(value) && value.length > 0 && value.every(isRow);
  const parts = entries.flatMap(([name, value]) =>
    isTable(name, value) ? [renderTable(words(name), tables[name] ?? [], value)] : [],
  );
  const others = entries.filter(([name, value]) => !isTable(name, value) && isShown(value));
  return html`${parts}${others.length === 0 ? null : renderFields(others, 0)}`;
}

function renderTable(caption: string, columns: readonly string[], rows: readonly Row[]): Html {
  const shown = columns.filter((column) => rows.some((row) => isShown(row[column])));
  return html`<table><caption>${caption}</caption><thead><tr>${shown.map(
    (column) => html`<th scope="col">${words(column)}</th>`,
  )}</tr></thead><tbody>${rows.map(
    (row) =>
      html`<tr>${shown.map((column) => html`<td data-label="${words(column)}">${renderValue(row[column], 1)}</td>`)}</tr>`,
  )}</tbody></table>`;
}

const deepest = 6;

const renderFields = (entries: readonly (readonly [string, unknown])[], depth: number): Html =>
  html`<dl>${entries.map(([name, value]) => html`<dt>${words(name)}</dt><dd>${renderValue(value, depth + 1)}</dd>`)}</dl>`;

function renderValue(value: unknown, depth: number): Html {
  if (value === null || value === undefined) return html`–`;
  if (typeof value === 'boolean') return html`${value ? 'yes' : 'no'}`;
  if (typeof value !== 'object') return html`${String(value)}`;
  if (depth > deepest) return html`…`;
  if (!Array.isArray(value)) return renderFields(Object.entries(value), depth);
  if (value.every((item) => typeof item !== 'object')) return html`${value.join(', ')}`;
  return html`<ul>${value.map((item) => html`<li>${renderValue(item, depth + 1)}</li>`)}</ul>`;
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

function isShown(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return false;
  return !(typeof value === 'object' && Object.keys(value).length === 0);
}
