import { conditionTable, refusesSettings } from '../../test/condition-table';
import { context, facts } from '../../test/fixtures';
import { itemCount } from './item-count';

const lines = (...quantities: number[]) =>
  facts({ context: context({ line_items: quantities.map((quantity, at) => ({ product_id: at + 1, quantity })) }) });

conditionTable(itemCount, [
  ['pieces without saying so', { operator: 'eq', amount: 5 }, lines(2, 3), true],
  ['pieces', { operator: 'gt', amount: 5, count: 'quantity' }, lines(2, 3), false],
  ['lines', { operator: 'eq', amount: 2, count: 'items' }, lines(2, 3), true],
  ['too few lines', { operator: '>=', amount: 4, count: 'items' }, lines(2, 3), false],
  ['too many lines', { operator: 'lte', amount: 1, count: 'items' }, lines(2, 3), false],
  ['no items', { operator: 'eq', amount: 0 }, lines(), true],
  ['no items where some are wanted', { operator: 'gte', amount: 3 }, lines(), false],
  ['some items where none are wanted', { operator: 'eq', amount: 0 }, lines(1), false],
  ['between', { operator: 'between', amount: 2, amount_to: 4 }, lines(9), false],
  // Quantities with decimals (decisions.md section 12): github.com/woocommerce/woocommerce/issues/52198
  ['halves', { operator: 'eq', amount: 2.5 }, lines(2, 0.5), true],
  ['less than a half', { operator: 'gte', amount: 0.5, count: 'quantity' }, lines(0.25), false],
  ['fewer than none', { operator: 'lt', amount: 0 }, lines(1), 'hopeless'],
]);
refusesSettings(itemCount, [
  { operator: 'eq', amount: 1, count: 'boxes' },
  { operator: 'between', amount: 3 },
  { operator: 'between', amount: 3, amount_to: 2 },
  { operator: 'eq', amount: -0.5 },
]);
