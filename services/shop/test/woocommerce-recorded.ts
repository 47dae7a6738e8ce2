import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Site } from './woocommerce-server/dates';

export type Recorded = Site & {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly query: Readonly<Record<string, unknown>>;
    readonly body?: unknown;
    readonly as: 'manager' | 'readonly' | 'writeonly' | 'customer' | 'nobody';
  };
  readonly answer: { readonly status: number; readonly total?: number; readonly json: unknown };
};

const lines = readFileSync(join(__dirname, 'woocommerce-server/recorded/answers.ndjson'), 'utf8').trim().split('\n');
const all = lines.map((line) => JSON.parse(line) as Recorded | Delivery);

export type Delivery = {
  readonly name: string;
  readonly delivery: {
    readonly secret: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
};
export const deliveries = all.filter((one): one is Delivery => 'delivery' in one);

/** Requests with the answers of WooCommerce 11, in their order. */
export const recorded = all.filter((one): one is Recorded => 'request' in one);

export function answered(name: string): unknown {
  const found = recorded.find((one) => one.name === name);
  if (!found) throw new Error(`nothing is recorded as "${name}"`);
  return structuredClone(found.answer.json);
}

/** Of these only the kind of value is compared: ids, times, addresses and sentences are of their day and shop. */
const ownValues = /^(id|number|order_key|payment_url|delivery_url|message|date_.*|_wp_trash_meta_time)$/;
const isOwn = (name: string, value: unknown): boolean => ownValues.test(name) && typeof value !== 'object';

/** What two answers must have in common (links are not recorded): fields with their order and types, and all other values. Parameters that were refused by name. */
export function shapeOf(value: unknown, name = ''): unknown {
  if (isOwn(name, value)) return typeof value;
  if (name === 'params') return Array.isArray(value) ? value : Object.keys(value as object);
  if (Array.isArray(value)) return value.map((one) => shapeOf(one));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([field]) => !['details', '_links'].includes(field));
  const meta = value as { key?: unknown };
  return fields.map(([field, one]) => [
    field,
    shapeOf(one, field === 'value' || field === 'display_value' ? valueName(meta.key) : field),
  ]);
}

/** The values of some fields of metadata are ids and times. */
const valueName = (key: unknown): string =>
  key === '_refunded_item_id' || key === '_wp_trash_meta_time' ? '_wp_trash_meta_time' : 'value';
