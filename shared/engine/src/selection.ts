import { choice, type Field } from './settings-schema';

export const matches = ['any', 'all', 'none'] as const;
/** decisions.md section 4: `any` = some item has one of the values, `all` = every item has one of them, `none` = no item has any. */
export type Match = (typeof matches)[number];

export const matchField = (thing: string, verb: 'be' | 'have'): Field =>
  choice(
    'Match',
    `any: one ${thing} is enough; all: every ${thing} must ${verb} one of them; none: no ${thing} may ${verb} one of them.`,
    matches,
  );

/** Whether the items hold against the values. Without items only `none` holds. */
export function selects<V>(match: Match, wanted: ReadonlySet<V>, items: readonly (readonly V[])[]): boolean {
  let matching = 0;
  for (const values of items) if (values.some((value) => wanted.has(value))) matching += 1;
  if (match === 'none') return matching === 0;
  return matching > 0 && (match === 'any' || matching === items.length);
}

/** `a product of type simple or variable` for any, `every product …`, `no product …`. */
export function selectionText(match: Match, thing: string, of: string): string {
  if (match === 'any') return `${/^[aeiou]/.test(thing) ? 'an' : 'a'} ${thing} ${of}`;
  return `${match === 'all' ? 'every' : 'no'} ${thing} ${of}`;
}
