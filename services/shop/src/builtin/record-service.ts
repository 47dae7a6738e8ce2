import {
  type Answer,
  counted,
  invalidParameters,
  paginate,
  plainWords,
  type RecordType,
  type RequestOutput,
  ServiceError,
  type Violation,
} from '@order-automation/contracts';
import { wordsOf } from '@order-automation/store';
import { storageViolations } from './order-fields';
import type { BuiltinParts } from './parts';
import { inRecordShapes } from './record-shapes';
import { type AnyRecord, idField, type RecordOf, recordId, recordSchemas, titleOf } from './record-types';
import { type NumberedType, numberedTypes } from './records';
import { found, productLookup, recordLookup, type SearchDeps } from './search';
import { type KeyedType, maxSiteRecords } from './site-records';

export type RecordDeps = SearchDeps & Pick<BuiltinParts, 'counters' | 'facts' | 'orders'>;

type Id = string | number;

const isNumbered = (type: RecordType): type is NumberedType => (numberedTypes as readonly string[]).includes(type);

const notFound = (type: RecordType, id: Id): ServiceError =>
  new ServiceError(404, 'svc_record_not_found', `There is no ${type.replace('_', ' ')} ${id}.`);

function idOf(type: RecordType, text: string): Id {
  const id = recordId(type, text);
  if (id === undefined) throw notFound(type, text.slice(0, 50));
  return id;
}

async function read(type: RecordType, id: Id, { products, records, site }: RecordDeps): Promise<AnyRecord | undefined> {
  if (type === 'product') return (await products.byIds([Number(id)]))[0]?.product;
  if (isNumbered(type)) return (await records.byIds(type, [Number(id)]))[0];
  return site.byId(type, String(id));
}

export const getRecord: Answer<'shop.record.get.v1', RecordDeps> = async ({ type, id }, deps) => {
  const record = await read(type, idOf(type, id), deps);
  if (!record) throw notFound(type, id);
  return { record };
};

/** Products, terms, posts and customers that a search looks at; far more than anybody pages through. */
const maxHits = 1_000;

export const listRecords: Answer<'shop.record.list.v1', RecordDeps> = async (
  { type, search = '', page, per_page },
  deps,
) => {
  const skip = (page - 1) * per_page;
  const answer = (records: readonly AnyRecord[], total: number) => ({
    records: records.map((record) => ({ ...record })),
    pagination: paginate(total, page, per_page),
  });
  if (type !== 'product' && !isNumbered(type)) {
    const words = wordsOf(search);
    const all = (await deps.site.all(type)).filter((record: AnyRecord) => {
      const own = wordsOf(`${titleOf(record)} ${String(record[idField(type)])}`);
      return words.every((word) => own.some((one) => one.startsWith(word)));
    });
    return answer(all.slice(skip, skip + per_page), all.length);
  }
  if (search.trim() !== '') {
    const lookup = type === 'product' ? productLookup(deps) : recordLookup(type, deps);
    const hits: readonly AnyRecord[] = await found<RecordOf<NumberedType>>(lookup as never, search, maxHits);
    return answer(hits.slice(skip, skip + per_page), hits.length);
  }
  if (type !== 'product') {
    const rows = await deps.records.withWords(type, [], skip, per_page);
    return answer(rows, await deps.records.count(type, []));
  }
  const products = (await deps.products.search([], skip, per_page)).map(({ product }) => product);
  return answer(products, await deps.products.count([]));
};

export type Checked =
  | { readonly ok: true; readonly record: AnyRecord }
  | { readonly ok: false; readonly violations: Violation[] };

/** The record after these fields are given. */
export function checkedRecord(type: RecordType, before: AnyRecord | undefined, id: Id, fields: AnyRecord): Checked {
  const violations = storageViolations(fields);
  const own = typeof id === 'string' ? (recordId(type, id) ?? id) : id;
  const merged = { ...before, ...inRecordShapes(type, fields), [idField(type)]: own };
  const parsed = recordSchemas[type].safeParse(merged, { error: plainWords });
  for (const { path, message } of parsed.error?.issues ?? []) violations.push({ path: path.join('.'), message });
  return parsed.success && violations.length === 0 ? { ok: true, record: parsed.data } : { ok: false, violations };
}

/** Creates or changes records of one type, each of another id. */
export async function putRecords(type: RecordType, records: readonly AnyRecord[], deps: RecordDeps): Promise<void> {
  if (records.length === 0) return;
  if (type === 'product') await replaceProducts(records as RecordOf<'product'>[], deps);
  else if (isNumbered(type)) await deps.records.put(type, records as never);
  else for (const record of records) await putSiteRecord(type, record, deps);
  if (type === 'product') await addTermsOf(records as RecordOf<'product'>[], deps);
  if (type === 'product' || type === 'category') await productsChanged(deps);
}

async function replaceProducts(products: readonly RecordOf<'product'>[], deps: RecordDeps): Promise<void> {
  const byId = new Map(products.map((product) => [product.id, product]));
  await deps.products.edit([...byId.keys()], (id) => {
    const product = byId.get(id);
    if (!product) throw new Error(`product ${id} was not given`);
    return product;
  });
}

async function putSiteRecord(type: KeyedType, record: AnyRecord, { site }: RecordDeps): Promise<void> {
  if ((await site.all(type)).length >= maxSiteRecords)
    throw invalidParameters([{ path: '', message: `There are ${maxSiteRecords} of them already.` }]);
  await site.put(type, record as never);
}

const termFields = [
  ['categories', 'category'],
  ['tags', 'tag'],
] as const;

const isUnnamed = (term: unknown): term is { id: number } =>
  typeof term === 'object' && term !== null && 'id' in term && Number.isSafeInteger(term.id) && !('name' in term);

/** Products whose terms are given by id alone, as WooCommerce takes them, with the names that the shop has for them. */
export async function withTerms(
  products: readonly AnyRecord[],
  { records }: Pick<RecordDeps, 'records'>,
): Promise<AnyRecord[]> {
  let named = products.map((product) => inRecordShapes('product', product));
  for (const [field, type] of termFields) {
    const termsOf = (product: AnyRecord): unknown[] => (Array.isArray(product[field]) ? product[field] : []);
    const ids = new Set(named.flatMap(termsOf).flatMap((term) => (isUnnamed(term) ? term.id : [])));
    const known = new Map((await records.byIds(type, [...ids])).map(({ id, name, slug }) => [id, { name, slug }]));
    const withName = (term: unknown): unknown => (isUnnamed(term) ? { ...known.get(term.id), ...term } : term);
    named = named.map((product) =>
      termsOf(product).some(isUnnamed) ? { ...product, [field]: termsOf(product).map(withName) } : product,
    );
  }
  return named;
}

/** Terms that products carry exist; those that exist already keep their name. */
async function addTermsOf(products: readonly RecordOf<'product'>[], { records }: Pick<RecordDeps, 'records'>) {
  for (const [field, type] of termFields) {
    const terms = new Map(products.flatMap((product) => product[field]).map((term) => [term.id, term]));
    const added = [...terms.values()].map((term) => recordSchemas[type].parse(term));
    await records.insertNew(type, added);
  }
}

async function productsChanged({ counters, facts }: RecordDeps): Promise<void> {
  await counters.productsChanged();
  facts.forget();
}

export const putRecord: Answer<'shop.record.put.v1', RecordDeps> = async ({ type, id: text, fields }, deps) => {
  const id = idOf(type, text);
  if (type === 'product') return putProduct(Number(id), fields, deps);
  const before = await read(type, id, deps);
  const checked = checkedRecord(type, before, id, fields);
  if (!checked.ok) throw invalidParameters(checked.violations);
  await putRecords(type, [checked.record], deps);
  return { record: { ...checked.record }, created: before === undefined };
};

/** Onto the product as it is at the moment of writing: its stock is what orders have left of it, unless the fields say another one. */
async function putProduct(
  id: number,
  given: AnyRecord,
  deps: RecordDeps,
): Promise<RequestOutput<'shop.record.put.v1'>> {
  const [fields = given] = await withTerms([given], deps);
  const edited = await deps.products.edit([id], (_, before) => {
    const checked = checkedRecord('product', before, id, fields);
    if (!checked.ok) throw invalidParameters(checked.violations);
    return checked.record as RecordOf<'product'>;
  });
  const { product, created } = edited.get(id) ?? {};
  if (!product) throw new Error(`product ${id} was not saved`);
  await addTermsOf([product], deps);
  await productsChanged(deps);
  return { record: { ...product }, created: created ?? false };
}

/** Orders keep what they say of a record that is gone. A status that orders are in stays. */
export const deleteRecord: Answer<'shop.record.delete.v1', RecordDeps> = async ({ type, id: text }, deps) => {
  const id = idOf(type, text);
  if (!(await read(type, id, deps))) throw notFound(type, id);
  if (type === 'order_status') await refuseUsedStatus(String(id), deps);
  if (type === 'product') await deps.products.remove(Number(id));
  else if (isNumbered(type)) await deps.records.remove(type, Number(id));
  else await deps.site.remove(type, String(id));
  if (type === 'product' || type === 'category') await productsChanged(deps);
  return { deleted: true };
};

async function refuseUsedStatus(status: string, { orders }: RecordDeps): Promise<void> {
  const used = await orders.count({ status });
  if (used === 0) return;
  const message = `${counted(used, 'order')} with the status ${status}: give each another one first.`;
  throw new ServiceError(409, 'svc_record_in_use', message);
}
