import { conditionTable, refusesSettings } from '../../test/condition-table';
import { context, facts } from '../../test/fixtures';
import { coupon } from './coupon';

const used = (...codes: string[]) => facts({ context: context({ coupon_lines: codes.map((code) => ({ code })) }) });

conditionTable(coupon, [
  ['any: one of them was used', { codes: ['a', 'b'] }, used('B'), true],
  ['any: another was used', { codes: ['a'] }, used('b'), false],
  ['any: none was used', { codes: ['a'] }, used(), false],
  ['all: each was used', { codes: ['a', 'B'], match: 'all' }, used('b', 'a', 'c'), true],
  ['all: one is missing', { codes: ['a', 'b'], match: 'all' }, used('a'), false],
  ['none: none was used', { codes: ['a'], match: 'none' }, used(), true],
  ['none: one was used', { codes: ['a'], match: 'none' }, used('A', 'b'), false],
  ['accents written as one character, and as two', { codes: ['ÉTÉ'] }, used('e\u0301te\u0301'), true],
  // wc_sanitize_coupon_code() of WooCommerce (wp_kses with 'entities'): orders show a&b as a&amp;b, customers and the rule write a&b.
  ['a sign that the shop keeps as an entity', { codes: ['R&D<5'] }, used('r&amp;d&lt;5'), true],
  ['an entity in the rule, as lists of the shop show it', { codes: ['r&amp;d'] }, used('r&amp;d'), true],
  ['an order that says nothing of coupons', { codes: ['a'], match: 'none' }, facts(), true],
]);
refusesSettings(coupon, [{}, { codes: [] }, { codes: [' '] }, { codes: ['a'], match: 'some' }]);
