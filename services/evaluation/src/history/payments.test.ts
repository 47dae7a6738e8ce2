import { classifyPayment, type Payment, remembering } from './payments';

const payment = (event_id: string, transaction: string | null, amount: string | null = '49.00'): Payment => ({
  event_id,
  event_type: `payment.${event_id}`,
  transaction,
  named_later: false,
  amount,
  currency: 'EUR',
});

/** What is made of payments that arrive in this order, `repeated` with the event it repeats. */
function matches(payments: readonly Payment[]): string[] {
  let seen: readonly Payment[] = [];
  return payments.map((one) => {
    const match = classifyPayment(seen, one);
    seen = remembering(seen, one, match);
    return match.kind === 'repeated' ? `repeated ${match.of.event_id}` : match.kind;
  });
}

const intent = payment('intent', 'pi_1');
const charge = payment('charge', 'pi_1');
const invoice = payment('invoice', null);
const second = payment('second', 'pi_2');

test.each([
  ['intent, charge, invoice', [intent, charge, invoice], ['new', 'known', 'repeated intent']],
  ['invoice, intent, charge', [invoice, intent, charge], ['new', 'repeated invoice', 'repeated invoice']],
  ['intent, invoice, charge', [intent, invoice, charge], ['new', 'repeated intent', 'known']],
  ['two that name nothing', [invoice, payment('other', null)], ['new', 'repeated invoice']],
  ['two payments', [intent, second, charge], ['new', 'new', 'known']],
  ['invoice, its intent, a second payment', [invoice, intent, second], ['new', 'repeated invoice', 'new']],
  ['another amount', [intent, payment('invoice', null, '50.00')], ['new', 'new']],
  ['another amount, the other way round', [payment('invoice', null, '50.00'), intent], ['new', 'new']],
  ['the same amount in other digits', [intent, payment('invoice', null, '49')], ['new', 'repeated intent']],
  ['no amount', [intent, payment('invoice', null, null)], ['new', 'repeated intent']],
  ['delivered again', [invoice, intent, invoice, intent], ['new', 'repeated invoice', 'known', 'repeated invoice']],
])('%s', (_what, payments, expected) => {
  expect(matches(payments)).toEqual(expected);
});

test('another currency is another payment', () => {
  expect(matches([intent, { ...invoice, currency: 'USD' }])).toEqual(['new', 'new']);
});

test('a payment that is known says whether it is the event that reported it first', () => {
  expect(classifyPayment([intent], intent)).toEqual({ kind: 'known', first: true });
  expect(classifyPayment([intent], charge)).toEqual({ kind: 'known', first: false, of: intent });
});

// docs/guide/money.md, completed_unproven: "something that is not a payment, or that nobody signed".
test('a payment that nobody signed is proven by the next report of it that somebody did', () => {
  const unsigned = { ...intent, unproven: true as const };
  const after = (...payments: readonly Payment[]) =>
    payments.reduce<readonly Payment[]>((seen, one) => remembering(seen, one), []);
  expect(after(unsigned)).toEqual([unsigned]);
  expect(after(unsigned, charge)).toEqual([intent]);
  expect(after(unsigned, { ...charge, unproven: true })).toEqual([unsigned]);
  expect(after({ ...invoice, unproven: true }, intent)).toEqual([
    { ...invoice, transaction: 'pi_1', named_later: true },
  ]);
  expect(after(intent, { ...charge, unproven: true })).toEqual([intent]);
});

// docs.stripe.com/payments/multicapture: the last capture lets go of the rest, which up to version 2025-03-31 is a refund object of that amount and time.
test('of several captures the last says what was let go, and when', () => {
  const first = { ...payment('first', 'pi_1', '20.00'), paid: 'part', at: '2026-11-20T10:00:00.000Z' } as const;
  const rest = { released: '9.00', at: '2026-11-21T10:00:00.000Z' };
  const last = { ...payment('last', 'pi_1', '40.00'), paid: 'whole', ...rest } as const;
  expect(remembering([first], last)).toEqual([{ ...first, amount: '40.00', paid: 'whole', ...rest }]);
});
