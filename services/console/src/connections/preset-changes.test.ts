import { changesTo } from './preset-changes';

const settings = {
  amount_unit: 'minor',
  types: { paid: 'payment_completed', expired: 'payment_failed' },
  paths: { type: '/type', subtype: '/state' },
};

test('a sender that is set as its preset differs in nothing, whatever else it has', () => {
  expect(changesTo(settings, { ...settings, name: 'shop', order_prefix: 'WC-' })).toEqual([]);
});

test('of tables each row that is new, other or gone', () => {
  const before = { amount_unit: 'major', types: { paid: 'payment_completed', expired: 'payment_cancelled', old: 'x' } };
  expect(changesTo(settings, before)).toEqual([
    { field: 'amount_unit', from: 'major', to: 'minor' },
    { field: 'event expired', from: 'payment_cancelled', to: 'payment_failed' },
    { field: 'event old', from: 'x', to: undefined },
    { field: 'field type', from: undefined, to: '/type' },
    { field: 'field subtype', from: undefined, to: '/state' },
  ]);
});
