import { Ajv2020 } from 'ajv/dist/2020';
import { createRegistry } from '../src';
import type { Check, Component, Condition } from '../src/component';
import { type Facts, withChanges } from '../src/situation';

/** `hopeless`: it does not pass, and no change that we know of would help. */
export type Row<S> = readonly [name: string, settings: S, facts: Facts, passes: boolean | 'hopeless'];

/** A schema that is no JSON Schema 2020-12, or that the registry refuses, fails here. */
function fits<S>(condition: Condition<S>, settings: S): boolean {
  const registry = createRegistry([condition as unknown as Component]);
  const validate = registry.conditions.get(condition.id)?.validate;
  return validate?.(settings) === true && (condition.violations?.(settings) ?? []).length === 0;
}

export function check<S>(condition: Condition<S>, settings: S, facts: Facts): Check {
  return condition.compile(settings)(facts);
}

/**
 * Each row: the settings are valid, stored in one form, and judged as the table says; after the changes of `nearest` the condition passes, and the
 * facts that it was asked about are as they were.
 */
export function conditionTable<S>(condition: Condition<S>, rows: readonly Row<S>[]): void {
  test.each(rows)('%s', (_name, settings, facts, passes) => {
    expect(fits(condition, settings)).toBe(true);
    const stored = condition.normalise?.(settings) ?? settings;
    expect(fits(condition, stored)).toBe(true);
    expect(condition.normalise?.(stored) ?? stored).toEqual(stored);
    const result = check(condition, settings, facts);
    expect(result.pass).toBe(passes === true);
    expect(check(condition, stored, facts)).toMatchObject({ pass: result.pass });
    for (const text of [result.expected, result.actual, result.reason]) expect(text).not.toBe('');
    const before = structuredClone(facts);
    const nearest = condition.nearest(settings, facts);
    expect(facts).toEqual(before);
    if (passes === 'hopeless') return expect(nearest).toBeNull();
    if (passes) return expect(nearest).toEqual([]);
    expect(nearest).not.toEqual([]);
    expect(check(condition, settings, withChanges(facts, nearest ?? [])).pass).toBe(true);
  });
}

/** Settings that must be refused, by schema or by what the schema cannot say. */
export function refusesSettings<S>(condition: Condition<S>, settings: readonly unknown[]): void {
  test.each(settings.map((one) => [JSON.stringify(one), one]))('refuses %s', (_text, one) => {
    expect(fits(condition, one as S)).toBe(false);
  });
}

/** The schema without our own keywords is JSON Schema 2020-12. */
export function isJsonSchema(schema: object): boolean {
  return new Ajv2020({ strict: false }).validateSchema(schema) === true;
}
