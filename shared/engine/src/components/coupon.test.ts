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
  ['an order that says nothing of coupons', { codes: ['a'], match: 'none' }, facts(), true],
]);
refusesSettings(coupon, [{}, { codes: [] }, { codes: [' '] }, { codes: ['a'], match: 'some' }]);
