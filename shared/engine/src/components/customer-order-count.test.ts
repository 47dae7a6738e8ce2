import { conditionTable, refusesSettings } from '../../test/condition-table';
import { facts } from '../../test/fixtures';
import { customerOrderCount } from './customer-order-count';

const withOrders = (order_count: number) => facts({ customer: { role: 'customer', order_count } });

conditionTable(customerOrderCount, [
  ['a first order', { operator: 'eq', amount: 0 }, withOrders(0), true],
  ['a first order of a known customer', { operator: '==', amount: 0 }, withOrders(3), false],
  ['a regular customer', { operator: 'gte', amount: 5 }, withOrders(5), true],
  ['not yet a regular customer', { operator: 'gt', amount: 5 }, withOrders(5), false],
  ['between, both ends included', { operator: 'between', amount: 1, amount_to: 3 }, withOrders(3), true],
  ['above the upper bound', { operator: 'between', amount: 1, amount_to: 3 }, withOrders(4), false],
  ['fewer than none', { operator: 'lt', amount: 0 }, withOrders(0), 'hopeless'],
]);
refusesSettings(customerOrderCount, [
  {},
  { operator: 'eq' },
  { operator: 'eq', amount: 1.5 },
  { operator: 'eq', amount: -1 },
]);
