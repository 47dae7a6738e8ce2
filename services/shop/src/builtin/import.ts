import {
  invalidParameters,
  type RequestInput,
  type RequestOutput,
  type Violation,
  violationsOf,
} from '@order-automation/contracts';
import type { Counters } from './counters';
import { keyViolations } from './order-fields';
import type { ProductFactsCache } from './product-facts';
import { type Product, type Products, productSchema } from './products';
import { type SaveDeps, type SaveItem, saveOrders } from './save';
import { type Terms, termsOf } from './terms';

export type ImportDeps = SaveDeps & {
  readonly products: Products;
  readonly terms: Terms;
  readonly counters: Counters;
  readonly facts: ProductFactsCache;
};

/** Products first, then the orders that name them. Nothing is written when anything is not valid. */
export async function importAll(
  input: RequestInput<'shop.import.v1'>,
  deps: ImportDeps,
): Promise<RequestOutput<'shop.import.v1'>> {
  const violations: Violation[] = [];
  const products = input.products.flatMap((product, index) => parseProduct(product, `products.${index}`, violations));
  const items = input.orders.flatMap((order, index) => parseId(order, `orders.${index}`, violations));
  if (violations.length > 0) throw invalidParameters(violations);
  if (products.length > 0) await putProducts(products, deps);
  if (items.length > 0) {
    const saved = await saveOrders(items, input.cause, 'api', deps);
    deps.handover.entries([...saved.values()].map(({ document }) => document));
  }
  return { orders_imported: items.length, products_imported: products.length };
}

async function putProducts(products: readonly Product[], deps: ImportDeps): Promise<void> {
  await deps.terms.insertNew(termsOf(products));
  await deps.products.put(products);
  await deps.counters.productsChanged();
  deps.facts.forget();
}

function parseProduct(fields: Readonly<Record<string, unknown>>, path: string, violations: Violation[]): Product[] {
  const names = keyViolations(fields);
  const parsed = productSchema.safeParse(fields);
  violations.push(
    ...names.map((violation) => ({ ...violation, path: `${path}.${violation.path}`.replace(/\.$/, '') })),
  );
  if (parsed.success) return [parsed.data];
  violations.push(...violationsOf(parsed.error, path));
  return [];
}

function parseId(fields: Readonly<Record<string, unknown>>, path: string, violations: Violation[]): SaveItem[] {
  const id = fields.id;
  if (typeof id === 'number' && Number.isSafeInteger(id) && id > 0) return [{ id, fields, path }];
  violations.push({ path: `${path}.id`, message: 'must be a whole number above 0' });
  return [];
}
