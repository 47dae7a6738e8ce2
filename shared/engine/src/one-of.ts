import type { FieldChange } from '@order-automation/contracts';
import { type Condition, checked, condition } from './component';
import type { Facts } from './situation';

type Definition<S> = Omit<Condition<S>, 'kind' | 'compile' | 'nearest' | 'needs'> &
  Partial<Pick<Condition<S>, 'needs'>> & {
    /** What is looked at, as in "payment method". */
    readonly thing: string | ((settings: S) => string);
    readonly values: (settings: S) => readonly string[];
    /** True where the value must be none of them. */
    readonly isNot?: (settings: S) => boolean;
    readonly passesNull?: (settings: S) => boolean;
    /** What people call a value. */
    readonly word?: (value: string) => string;
    readonly read: (facts: Facts, settings: S) => string | null;
    /** The path that `read` looks at; null where no change of the order helps. */
    readonly field: (settings: S, facts: Facts) => string | null;
  };

const free = 'other';

/** A condition whose value must be, or must not be, one of several. */
export function oneOf<S>({ thing, values, isNot, passesNull, word, read, field, ...own }: Definition<S>): Condition<S> {
  const passes = (settings: S) => {
    const wanted = new Set(values(settings));
    const not = isNot?.(settings) ?? false;
    const ofNull = passesNull?.(settings) ?? not;
    return (value: string | null) => (value === null ? ofNull : wanted.has(value) !== not);
  };
  return condition<S>({
    ...own,
    compile: (settings) => {
      const test = passes(settings);
      const not = isNot?.(settings) ?? false;
      const name = typeof thing === 'string' ? thing : thing(settings);
      const nullPasses = test(null);
      const nameOf = (value: string) => word?.(value) ?? value;
      const words = values(settings).map(nameOf).join(' or ');
      const others = nullPasses ? 'anything but' : `a ${name} other than`;
      const expected = not ? `${others} ${words}` : `${words}${nullPasses ? ' or none' : ''}`;
      return (facts) => {
        const found = read(facts, settings);
        const pass = test(found);
        const actual = found === null || found === '' ? 'none' : nameOf(found);
        return checked(pass, expected, actual, `${name} is ${actual}`);
      };
    },
    nearest: (settings, facts): FieldChange[] | null => {
      const test = passes(settings);
      const from = read(facts, settings);
      const path = field(settings, facts);
      const to = [...values(settings), free].find((value) => test(value));
      return path === null || to === undefined ? null : [{ field: path, from, to }];
    },
  });
}
