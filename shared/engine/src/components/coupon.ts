import type { Order } from '@order-automation/contracts';
import { checked, condition } from '../component';
import { type Match, matches } from '../selection';
import { choice, settingsOf, textList } from '../settings-schema';

type CouponSettings = { codes: string[]; match?: Match };

/** WooCommerce keeps `&`, `<` and `>` of a code as entities (wc_sanitize_coupon_code). */
const plain = (code: string) => code.trim().replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
const lower = (codes: readonly string[]) => [...new Set(codes.map((code) => plain(code).normalize().toLowerCase()))];
const usedIn = ({ coupon_lines = [] }: Order) => lower(coupon_lines.map(({ code }) => code));

function holds(match: Match, wanted: readonly string[], used: readonly string[]): boolean {
  if (match === 'all') return wanted.every((code) => used.includes(code));
  return wanted.some((code) => used.includes(code)) === (match === 'any');
}

const words: Readonly<Record<Match, string>> = { any: 'one of', all: 'all of', none: 'none of' };

/** Codes are the same in either case, as in the shop. */
export const coupon = condition<CouponSettings>({
  id: 'coupon',
  label: 'Coupon',
  description: 'Passes when one, all or none of the coupons were used for the order.',
  edition: 'extended',
  schema: settingsOf({
    codes: textList('Codes', 'Coupon codes; upper and lower case do not matter.', { examples: [['welcome10']] }),
    match: choice('Match', 'any: one of the codes was used; all: each of them; none: not one.', matches),
  }),
  normalise: ({ codes, ...settings }) => ({ ...settings, codes: lower(codes) }),
  violations: ({ codes }) =>
    codes.flatMap((code, at) => (code.trim() === '' ? [{ path: `codes.${at}`, message: 'must not be empty' }] : [])),
  compile: ({ codes, match = 'any' }) => {
    const wanted = lower(codes);
    const expected = `${words[match]} ${wanted.join(', ')}`;
    return ({ context }) => {
      const used = usedIn(context.order);
      const actual = used.length === 0 ? 'no coupons' : used.join(', ');
      return checked(holds(match, wanted, used), expected, actual, `coupons of the order: ${actual}`);
    };
  },
  nearest: ({ codes, match = 'any' }, { context: { order } }) => {
    const wanted = lower(codes);
    const used = usedIn(order);
    const after =
      match === 'none'
        ? used.filter((code) => !wanted.includes(code))
        : [...new Set([...used, ...(match === 'all' ? wanted : wanted.slice(0, 1))])];
    return [{ field: 'order.coupon_lines', from: order.coupon_lines ?? [], to: after.map((code) => ({ code })) }];
  },
});
