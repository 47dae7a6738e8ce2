import {
  type Answer,
  check,
  derivedId,
  invalidParameters,
  type Refund,
  type RequestInput,
  refundSchema,
} from '@order-automation/contracts';
import { idOrNone, inOrderShapes, money, number, type Readers, read, text } from '../orders/order-shapes';
import { refundAmount, refundDigest, withRefund } from '../orders/refund-amount';
import { orderNotFound, otherRefund } from '../refusals';
import type { WooCommerce } from './client';
import type { WooCommerceDeps } from './deps';
import { isMissing, throwViolation, UnreadableOrder } from './failures';
import { confirmedWrite } from './lost-writes';
import { asFields, utcOf } from './order-mapping';
import { allPages } from './paging';
import { type StepDocument, stepIdOf } from './step-journal';

type Input = RequestInput<'shop.refund.create.v1'>;

/** Meta field of a refund by which a repeated request recognises it: hash of the key, hash of what was asked for. */
const keyField = '_order_automation_key';

export const listRefunds: Answer<'shop.refund.list.v1', Pick<WooCommerceDeps, 'shop' | 'read'>> = async (
  { order_id },
  { shop, read },
) => {
  const refunds = await refundsOf(order_id, shop);
  // WooCommerce answers that an order which is not there has none.
  if (refunds.length === 0 && !(await read.byId(order_id))) throw orderNotFound(order_id);
  return { refunds };
};

/** Without those that a gateway is still asked for. */
const refundsOf = async (orderId: number, shop: WooCommerce): Promise<Refund[]> =>
  (await allPages(shop, pathOf(orderId))).filter((one) => asFields(one).amount !== '').map(refundFrom);

/** Records a refund in the shop, once for the key. No payment gateway is asked to pay anything back, and no stock is put back. */
export const createRefund: Answer<'shop.refund.create.v1', WooCommerceDeps> = async (input, deps) => {
  const { shop, read, leases, watch, steps, clock } = deps;
  const { order_id, refund, key, cause } = input;
  const _id = stepIdOf({ order_id, key: `refund ${key}` });
  return leases.holding(order_id, async ({ renew }) => {
    const before = await read.byId(order_id);
    if (!before) throw orderNotFound(order_id);
    await watch.publishExternalChanges(before);
    const begun = key === null ? null : await steps.find(_id);
    const made = key === null ? undefined : await madeUnder(key, input, shop, begun?.refund);
    if (made) return { refund: made, created: false };
    const amount = refundAmount(before, refund);
    if (!amount.ok) throw invalidParameters(amount.violations);
    const attempt = { amount: amount.amount, before: (before.refunds ?? []).map(({ id }) => id) };
    const step = { _id, order_id, process_id: cause.process_id, at: clock.now(), results: null };
    if (key !== null) await steps.finish({ ...step, refund: attempt });
    const created = await confirmedWrite(shop, {
      what: `POST ${pathOf(order_id)}`,
      send: () => renew().then(() => written(input, amount.amount, shop)),
      find: async () => (await refundsOf(order_id, shop)).find((one) => isOf(attempt, one)) ?? null,
    });
    const after = (await read.byId(order_id)) ?? withRefund(before, created);
    await watch.publishExternalChanges(after, { cause, source: 'manual' });
    return { refund: created, created: true };
  });
};

const pathOf = (orderId: number): string => `wc/v3/orders/${orderId}/refunds`;

type Attempt = NonNullable<StepDocument['refund']>;

/** Whether the refund is what an attempt has made. WooCommerce stores it before its fields: a plugin that fails on it keeps it from getting our mark. */
const isOf = ({ amount, before }: Attempt, one: Refund): boolean =>
  Number(one.amount) === Number(amount) && !before.includes(one.id);

/** The refund that an earlier request with this key has made. */
async function madeUnder(
  key: string,
  { order_id, refund }: Input,
  shop: WooCommerce,
  attempt?: Attempt,
): Promise<Refund | undefined> {
  const mark = `${derivedId(key)}:`;
  const all = await allPages(shop, pathOf(order_id));
  const own = all.find((one) => keyOf(one)?.startsWith(mark));
  if (own && keyOf(own) !== `${mark}${refundDigest(refund)}`) throw otherRefund();
  if (own || !attempt) return own ? refundFrom(own) : undefined;
  const unmarked = all.filter((one) => keyOf(one) === undefined && asFields(one).amount !== '').map(refundFrom);
  return unmarked.find((one) => one.reason === refund.reason && isOf(attempt, one));
}

function keyOf(refund: unknown): string | undefined {
  const { meta_data } = asFields(refund);
  const meta = Array.isArray(meta_data) ? meta_data.map(asFields).find(({ key }) => key === keyField) : undefined;
  return typeof meta?.value === 'string' ? meta.value : undefined;
}

async function written({ order_id, refund, key }: Input, amount: string, shop: WooCommerce): Promise<Refund> {
  const { reason, line_items } = refund;
  const meta = key === null ? [] : [{ key: keyField, value: `${derivedId(key)}:${refundDigest(refund)}` }];
  const body = { amount, reason, line_items, api_refund: false, api_restock: false, meta_data: meta };
  const refuse = (error: unknown): never => throwViolation(isMissing(error) ? orderNotFound(order_id) : error);
  return refundFrom(await shop.write('POST', pathOf(order_id), body).catch(refuse));
}

const readers: Readers = new Map([
  ['id', number],
  ['amount', money],
  ['reason', text],
  ['refunded_by', idOrNone],
]);

/** A refund as WooCommerce shows it, without our mark. */
function refundFrom(json: unknown): Refund {
  const { _links, ...fields } = read(inOrderShapes(asFields(json)), readers);
  const meta_data = ((fields.meta_data ?? []) as unknown[]).filter((one) => asFields(one).key !== keyField);
  const date_created = utcOf(fields.date_created_gmt) ?? utcOf(fields.date_created);
  const checked = check(refundSchema, { reason: '', refunded_by: 0, ...fields, meta_data, date_created });
  if (checked.ok) return checked.value;
  const [first] = checked.violations;
  throw new UnreadableOrder(`WooCommerce shows a refund that cannot be read: ${first?.path} ${first?.message}.`);
}
