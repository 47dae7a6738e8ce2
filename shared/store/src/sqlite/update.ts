import { UnsupportedQueryError, UpdateRefusedError } from '../errors';
import type { JsonObject } from './codec';
import { compareValues, rank, sameValue } from './compare';
import { branchesOf, compileFilter, operatorsOf } from './match';
import { segmentsOf } from './path';

type Step = {
  readonly operator: string;
  readonly path: string;
  readonly segments: readonly string[];
  readonly operand: unknown;
};

const operators = new Set(['$set', '$setOnInsert', '$unset', '$inc', '$max', '$min', '$push', '$addToSet', '$pull']);

/** The steps of an update. Refuses operators outside the port's subset, `_id`, and paths that get into each other's way. */
export function stepsOf(update: JsonObject): Step[] {
  const steps = Object.entries(update).flatMap(([operator, fields]) => {
    if (!operators.has(operator)) throw new UnsupportedQueryError(`Update operator ${operator} is not supported`);
    if (rank(fields) !== 4) throw new UnsupportedQueryError(`${operator} wants an object`);
    return Object.entries(fields as JsonObject).map(([path, operand]) => stepOf(operator, path, operand));
  });
  if (Object.keys(update).length === 0) throw new UnsupportedQueryError('An update wants an operator');
  const paths = steps.map((step) => step.path).sort();
  for (const path of paths)
    for (const other of paths)
      if (other.startsWith(`${path}.`)) throw new UnsupportedQueryError(`Update of ${path} and of ${other} conflict`);
  if (new Set(paths).size < paths.length) throw new UnsupportedQueryError('An update changes a path twice');
  return steps;
}

function stepOf(operator: string, path: string, operand: unknown): Step {
  const segments = segmentsOf(path);
  if (segments[0] === '_id' && operator !== '$setOnInsert') throw new UnsupportedQueryError('_id cannot be updated');
  if (operator === '$inc' && typeof operand !== 'number') throw new UnsupportedQueryError('$inc wants a number');
  return { operator, path, segments, operand };
}

/** Changes the document in place. `inserting` lets `$setOnInsert` act. */
export function applyUpdate(document: JsonObject, steps: readonly Step[], inserting: boolean): void {
  for (const step of steps) {
    if (step.operator === '$setOnInsert' && !inserting) continue;
    if (step.operator === '$unset') unset(document, step.segments);
    else change(document, step);
  }
}

/** What an upsert inserts: the equalities of its filter, then the update. Refuses one that gives no `_id`. */
export function upsertDocument(filter: JsonObject, steps: readonly Step[]): JsonObject {
  const document: JsonObject = {};
  for (const [path, value] of equalities(filter)) assign(document, segmentsOf(path), value);
  applyUpdate(document, steps, true);
  if (rank(document._id) !== 2 && rank(document._id) !== 3)
    throw new UnsupportedQueryError('An upsert wants the _id in its filter or in $setOnInsert');
  return document;
}

function equalities(filter: JsonObject): [path: string, value: unknown][] {
  return Object.entries(filter).flatMap(([key, condition]) => {
    if (key === '$and') return branchesOf(key, condition).flatMap(equalities);
    if (key === '$or') return [];
    return operatorsOf(key, condition).flatMap(([operator, operand]): [string, unknown][] =>
      operator === '$eq' ? [[key, operand]] : [],
    );
  });
}

type Slot = { readonly read: () => unknown; readonly write: (value: unknown) => void };

/** The place a path leads to, with the objects on the way made where they are missing. */
function slot(document: JsonObject, segments: readonly string[]): Slot {
  let container: unknown = document;
  segments.slice(0, -1).forEach((segment, depth) => {
    const place = slotIn(container, segment, segments.slice(0, depth + 1));
    if (place.read() === undefined) place.write({});
    container = place.read();
  });
  return slotIn(container, segments.at(-1) as string, segments);
}

const longestArray = 1_500_000;

function slotIn(container: unknown, segment: string, segments: readonly string[]): Slot {
  if (Array.isArray(container)) {
    const index = /^\d{1,7}$/.test(segment) ? Number(segment) : longestArray;
    if (index >= longestArray) throw new UpdateRefusedError(28, `${segments.join('.')} leads into an array`);
    return {
      read: () => container[index],
      write: (value) => {
        while (container.length < index) container.push(null);
        container[index] = value;
      },
    };
  }
  if (rank(container) !== 4)
    throw new UpdateRefusedError(28, `${segments.join('.')} cannot be made: there is no object above it`);
  const object = container as JsonObject;
  return {
    read: () => (Object.hasOwn(object, segment) ? object[segment] : undefined),
    write: (value) =>
      Object.defineProperty(object, segment, { value, configurable: true, enumerable: true, writable: true }),
  };
}

function assign(document: JsonObject, segments: readonly string[], value: unknown): void {
  slot(document, segments).write(value);
}

function unset(document: JsonObject, segments: readonly string[]): void {
  let container: unknown = document;
  for (const segment of segments.slice(0, -1)) {
    if (typeof container !== 'object' || container === null || !Object.hasOwn(container, segment)) return;
    container = (container as JsonObject)[segment];
  }
  const last = segments.at(-1) as string;
  if (Array.isArray(container)) {
    if (/^\d{1,7}$/.test(last) && Number(last) < container.length) container[Number(last)] = null;
  } else if (rank(container) === 4) delete (container as JsonObject)[last];
}

function change(document: JsonObject, step: Step): void {
  if (step.operator === '$pull' && !leadsSomewhere(document, step.segments)) return;
  const place = slot(document, step.segments);
  const before = place.read();
  const after = changed(step, before);
  if (after !== before) place.write(after);
}

function leadsSomewhere(document: unknown, segments: readonly string[]): boolean {
  let value = document;
  for (const segment of segments) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return false;
    value = (value as JsonObject)[segment];
  }
  return true;
}

function changed(step: Step, before: unknown): unknown {
  const { operator, operand } = step;
  switch (operator) {
    case '$inc':
      return increased(step, before);
    case '$max':
      return before === undefined || compareValues(operand, before) > 0 ? operand : before;
    case '$min':
      return before === undefined || compareValues(operand, before) < 0 ? operand : before;
    case '$push':
      return pushed(step, before);
    case '$addToSet':
      return added(step, before);
    case '$pull':
      return pulled(step, before);
    default:
      return operand;
  }
}

function increased(step: Step, before: unknown): unknown {
  if (before === undefined) return step.operand;
  if (typeof before !== 'number') throw new UpdateRefusedError(14, `$inc of ${step.path}, which holds no number`);
  return before + (step.operand as number);
}

function arrayOf(step: Step, before: unknown): unknown[] {
  if (before === undefined) return [];
  if (!Array.isArray(before)) throw new UpdateRefusedError(2, `${step.operator} on ${step.path}, which holds no array`);
  return before;
}

/** The elements of `{$each: [...]}`, or the operand itself. */
function each(step: Step, modifiers: readonly string[]): { elements: unknown[]; slice: number | undefined } {
  const { operand } = step;
  const keys = rank(operand) === 4 ? Object.keys(operand as JsonObject) : [];
  if (!keys.some((key) => key.startsWith('$'))) return { elements: [operand], slice: undefined };
  const { $each, $slice } = operand as { $each?: unknown; $slice?: unknown };
  const known = keys.every((key) => modifiers.includes(key));
  if (!known || !Array.isArray($each) || !($slice === undefined || Number.isSafeInteger($slice)))
    throw new UnsupportedQueryError(`${step.operator} on ${step.path}: only ${modifiers.join(' and ')} are supported`);
  return { elements: $each, slice: $slice as number | undefined };
}

function pushed(step: Step, before: unknown): unknown[] {
  const { elements, slice } = each(step, ['$each', '$slice']);
  const after = [...arrayOf(step, before), ...elements];
  if (slice === undefined) return after;
  return slice < 0 ? after.slice(slice) : after.slice(0, slice);
}

function added(step: Step, before: unknown): unknown[] {
  const after = [...arrayOf(step, before)];
  for (const element of each(step, ['$each']).elements)
    if (!after.some((present) => sameValue(present, element))) after.push(element);
  return after;
}

function pulled(step: Step, before: unknown): unknown[] {
  const elements = arrayOf(step, before);
  if (rank(step.operand) !== 4) return elements.filter((element) => !sameValue(element, step.operand));
  if (Object.keys(step.operand as JsonObject).some((key) => key.startsWith('$')))
    throw new UnsupportedQueryError('$pull takes a value or the fields of one, no operators');
  const matches = compileFilter(step.operand as JsonObject);
  return elements.filter((element) => rank(element) !== 4 || !matches(element));
}
