import type { RecordType } from '@order-automation/contracts';
import { z } from 'zod';
import { productSchema } from './products';

const text = z.string().max(10_000);
const name = z.string().min(1).max(500);
const key = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,49}$/, 'must be lower-case letters, digits, - and _');
const number = z.int().positive();
const address = z.record(z.string().max(100), z.unknown());

const slugOf = (title: string): string =>
  title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 200);

const withSlug = <T extends { slug: string; name: string }>(term: T): T => ({
  ...term,
  slug: term.slug || slugOf(term.name),
});

const term = z.looseObject({ id: number, name, slug: text.default(''), description: text.default('') });

/** What each type of record must be, in the field names of WooCommerce's REST v3; fields we do not use are kept. */
export const recordSchemas = {
  product: productSchema,
  category: term.extend({ parent: z.int().min(0).default(0) }).transform(withSlug),
  tag: term.transform(withSlug),
  post: z.looseObject({
    id: number,
    title: name,
    type: key.default('post'),
    status: key.default('publish'),
    slug: text.default(''),
  }),
  customer: z.looseObject({
    id: number,
    email: z.string().max(320).default(''),
    first_name: text.default(''),
    last_name: text.default(''),
    username: text.default(''),
    role: key.default('customer'),
    billing: address.optional(),
    shipping: address.optional(),
  }),
  role: z.looseObject({ key, name }),
  order_status: z.looseObject({
    key: z.string().regex(/^[a-z0-9][a-z0-9-]{0,16}$/, 'must be at most 17 lower-case letters, digits and -'),
    name,
  }),
  payment_method: z.looseObject({
    id: key,
    title: name,
    description: text.default(''),
    enabled: z.boolean().default(true),
  }),
  shipping_method: z.looseObject({ id: key, title: name, description: text.default('') }),
} as const satisfies Record<RecordType, z.ZodType>;

export type RecordOf<T extends RecordType> = z.output<(typeof recordSchemas)[T]>;
export type AnyRecord = Readonly<Record<string, unknown>>;

export const idField = (type: RecordType): 'id' | 'key' => (type === 'role' || type === 'order_status' ? 'key' : 'id');

export const numbered: ReadonlySet<string> = new Set(['order', 'product', 'category', 'tag', 'post', 'customer']);

/** The id as the record has it; undefined where the text cannot be one. A status may carry its prefix. */
export function recordId(type: RecordType | 'order', text: string): string | number | undefined {
  if (!numbered.has(type)) return type === 'order_status' ? text.replace(/^wc-/, '') : text;
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

const titleFields = ['name', 'title', 'email'] as const;

export function titleOf(record: AnyRecord): string {
  const field = titleFields.find((one) => typeof record[one] === 'string');
  return field === undefined ? '' : String(record[field]);
}
