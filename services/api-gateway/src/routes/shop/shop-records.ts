import { type RecordType, shopRecordRequests } from '@order-automation/contracts';
import { z } from 'zod';
import { causeOf } from '../../http/edge';
import { jsonObject, paging, shortText } from '../../http/parameters';
import { reply, route } from '../../http/route';

const shop = { tag: 'Shop', access: { needs: 'manage_shop' } } as const;
const list = shopRecordRequests['shop.record.list.v1'].output;
const { record } = shopRecordRequests['shop.record.get.v1'].output.shape;
const params = z.object({ id: z.string().min(1).max(100) });
const item = { ...shop, params } as const;
const fields = 'In the field names of WooCommerce’s REST v3.';

type Example = {
  readonly id: string;
  readonly change: Readonly<Record<string, unknown>>;
  /** The id of one that nothing needs. */
  readonly spare: string;
  /** What it belongs to, in words: ` of products`. */
  readonly of?: string;
};

/** The four routes of one type of record, which its id and its path name in words. */
function recordRoutes<const Path extends string>(
  type: RecordType,
  path: Path,
  { id, change, spare, of = '' }: Example,
) {
  const one = `${type.startsWith('o') ? 'an' : 'a'} ${type.replace('_', ' ')}${of}`;
  const many = `${path.replace('-', ' ')}${of}`;
  return [
    route(`GET /v1/shop/${path}`, `List ${many}`, {
      ...shop,
      query: z.object({ search: shortText.optional(), ...paging }),
      answers: { 200: list },
      errors: ['svc_shop_elsewhere'],
      handle: ({ query, answer }) => answer('shop.record.list.v1', { type, ...query }),
    }),
    route(`GET /v1/shop/${path}/{id}`, `Read ${one}`, {
      ...item,
      answers: { 200: record },
      errors: ['svc_record_not_found', 'svc_shop_elsewhere'],
      example: { params: { id } },
      handle: async ({ params, ask }) => ({ body: (await ask('shop.record.get.v1', { type, ...params })).record }),
    }),
    route(`PUT /v1/shop/${path}/{id}`, `Create or change ${one}`, {
      ...item,
      description: `${fields} Fields that are absent stay as they are.`,
      body: jsonObject,
      answers: { 200: record, 201: record },
      // Of an id that no record of this type can have.
      errors: ['svc_record_not_found', 'svc_shop_elsewhere'],
      example: { params: { id }, body: change },
      handle: async (call, edge) => {
        const input = { type, id: call.params.id, fields: call.body, cause: causeOf(call, edge) };
        const saved = await call.ask('shop.record.put.v1', input);
        return saved.created ? reply(201, saved.record) : { body: saved.record };
      },
    }),
    route(`DELETE /v1/shop/${path}/{id}`, `Delete ${one}`, {
      ...item,
      description: 'Orders keep what they say of it.',
      answers: { 200: shopRecordRequests['shop.record.delete.v1'].output },
      errors: ['svc_record_not_found', 'svc_record_in_use', 'svc_shop_elsewhere'],
      example: { params: { id: spare } },
      handle: (call, edge) =>
        call.answer('shop.record.delete.v1', { type, id: call.params.id, cause: causeOf(call, edge) }),
    }),
  ] as const;
}

/** What a shop has besides orders (decisions.md section 5). */
export const shopRecordRoutes = [
  ...recordRoutes('product', 'products', { id: '101', change: { price: '9.90' }, spare: '120' }),
  ...recordRoutes('category', 'categories', { id: '11', change: { name: 'Coffee' }, spare: '14', of: ' of products' }),
  ...recordRoutes('tag', 'tags', { id: '33', change: { name: 'Bestseller' }, spare: '35', of: ' of products' }),
  ...recordRoutes('post', 'posts', { id: '203', change: { title: 'How we roast' }, spare: '204' }),
  ...recordRoutes('customer', 'customers', { id: '21', change: { role: 'wholesale' }, spare: '25' }),
  ...recordRoutes('role', 'roles', { id: 'wholesale', change: { name: 'Wholesale customer' }, spare: 'contributor' }),
  ...recordRoutes('order_status', 'order-statuses', {
    id: 'packing',
    change: { name: 'Being packed' },
    spare: 'checkout-draft',
  }),
  ...recordRoutes('payment_method', 'payment-methods', { id: 'cheque', change: { enabled: true }, spare: 'cod' }),
  ...recordRoutes('shipping_method', 'shipping-methods', {
    id: 'local_pickup',
    change: { title: 'Pick up in the shop' },
    spare: 'express',
  }),
] as const;
