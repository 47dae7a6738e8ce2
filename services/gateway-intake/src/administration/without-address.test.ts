import { withoutAddress } from './without-address';

test('the address is masked wherever it stands', () => {
  const event = {
    reason: 'paid by ada@example.com',
    status: 'ok',
    ids: ['ada@example.com', 'x'],
    amount: null,
    live: true,
  };
  expect(withoutAddress(event, 'ada@example.com')).toEqual({
    reason: '[erased]',
    status: 'ok',
    ids: ['[erased]', 'x'],
    amount: null,
    live: true,
  });
});
