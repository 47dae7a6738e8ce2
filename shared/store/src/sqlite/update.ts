import { UnsupportedQueryError, UpdateRefusedError } from '../errors';
import { encode, type JsonObject } from './codec';
import { columnName, contentSql, depends, partSql } from './columns';
import { jsonPath, prefixesOf, segmentsOf } from './path';
import { compareScalars, kindOf } from './scalar';
import { checkIndexable, type Schema } from './schema';

type Step = {
  readonly operator: string;
  readonly path: string;
  readonly segments: readonly string[];
  readonly operand: unknown;
};

const operators = new Set(['$set', '$unset', '$inc', '$max']);

/** What stands behind SET in an UPDATE, and what is bound to the names in it. */
export type UpdateSql = { readonly text: string; readonly values: Readonly<Record<string, string | number>> };

/**
 * An update carried out by SQLite itself: the document, and the columns that depend on what changes. Refuses operators outside the port's subset,
 * `_id`, paths that get into each other's way, and what an index cannot hold; SQLite refuses what a document does not allow.
 */
export function updateSql(update: JsonObject, schema: Schema): UpdateSql {
  const steps = stepsOf(update);
  const sets = steps.filter(({ operator }) => operator !== '$unset');
  for (const step of sets) checkStep(step, schema);
  const values = Object.fromEntries(
    sets.map(({ operator, operand }, n) => [`s${n}`, operator === '$inc' ? (operand as number) : encode(operand)]),
  );
  const contents = sets.map((step, n) => contentOf(step, `@s${n}`));
  const gone = steps.filter(({ operator }) => operator === '$unset');
  const doc = docSql(steps, sets, contents, gone);
  const columns = schema.columns.all.flatMap((column) => {
    const step = steps.find(({ path }) => depends(column, path));
    if (step === undefined) return [];
    const isBelow = column.path === step.path || column.path.startsWith(`${step.path}.`);
    if (!isBelow) return [`${columnName(column)} = ${contentSql(column, doc)}`];
    const content = contents[sets.indexOf(step)];
    const below = segmentsOf(column.path).slice(step.segments.length);
    return [`${columnName(column)} = ${content === undefined ? 'NULL' : partSql(column, content, below)}`];
  });
  return { text: [`doc = ${doc}`, ...columns].join(', '), values };
}

function stepsOf(update: JsonObject): Step[] {
  const steps = Object.entries(update).flatMap(([operator, fields]) => {
    if (!operators.has(operator)) throw new UnsupportedQueryError(`Update operator ${operator} is not supported`);
    if (typeof fields !== 'object' || fields === null) throw new UnsupportedQueryError(`${operator} wants an object`);
    return Object.entries(fields).map(([path, operand]) => stepOf(operator, path, operand));
  });
  if (Object.keys(update).length === 0) throw new UnsupportedQueryError('An update wants an operator');
  const paths = steps.map((step) => step.path).sort();
  for (const [index, path] of paths.entries())
    if (paths.slice(index + 1).some((other) => other === path || other.startsWith(`${path}.`)))
      throw new UnsupportedQueryError(`An update changes ${path} twice`);
  return steps;
}

function stepOf(operator: string, path: string, operand: unknown): Step {
  const segments = segmentsOf(path);
  if (segments[0] === '_id') throw new UnsupportedQueryError('_id cannot be updated');
  if (operator === '$inc' && typeof operand !== 'number') throw new UnsupportedQueryError('$inc wants a number');
  if (operator === '$max') kindOf(operand, path);
  return { operator, path, segments, operand };
}

/** Refuses an array or an object where an index needs one value. */
function checkStep({ path, segments, operand }: Step, schema: Schema): void {
  const inIndexed = prefixesOf(path)
    .slice(0, -1)
    .find((prefix) => schema.indexedPaths.has(prefix));
  if (inIndexed !== undefined) throw new UnsupportedQueryError(`${inIndexed} is indexed: it holds a scalar`);
  const [top, ...below] = segments;
  const document = below.reduceRight((inner, segment) => ({ [segment]: inner }), operand);
  checkIndexable(schema.indexedPaths, schema.arrayFree, { [String(top)]: document });
}

/** SQL for the JSON of what a step puts at its path; `bound` names what is bound to it. */
function contentOf({ operator, segments }: Step, bound: string): string {
  const before = `doc -> ${jsonPath(segments)}`;
  if (operator === '$inc') return `increased(${before},${bound})`;
  return operator === '$max' ? `greater(${before},${bound})` : bound;
}

/** Between two changes the document stays in SQLite's own form of JSON, which need not be parsed again. */
function docSql(
  steps: readonly Step[],
  sets: readonly Step[],
  contents: readonly string[],
  gone: readonly Step[],
): string {
  const start = allowedSql(steps);
  const assigned = sets.map(({ segments }, n) => `${jsonPath(segments)},json(${contents[n]})`).join(',');
  if (gone.length === 0) return sets.length === 0 ? start : `json_set(${start},${assigned})`;
  const kept = sets.length === 0 ? start : `jsonb_set(${start},${assigned})`;
  return `json_remove(${kept},${gone.map(({ segments }) => jsonPath(segments)).join(',')})`;
}

/** The document; refused when something other than an object stands above a path. */
function allowedSql(steps: readonly Step[]): string {
  const checks = steps.flatMap(({ operator, path }) =>
    operator === '$unset'
      ? []
      : prefixesOf(path)
          .slice(0, -1)
          .map(
            (prefix) => `WHEN json_type(doc,${jsonPath(segmentsOf(prefix))}) <> 'object' THEN refuse_path('${path}')`,
          ),
  );
  return checks.length === 0 ? 'doc' : `CASE ${[...new Set(checks)].join(' ')} ELSE doc END`;
}

/** The functions that the SQL of filters and updates calls. */
export const updateFunctions = {
  increased: (before: unknown, by: unknown): string => {
    const value: unknown = before === null ? 0 : JSON.parse(String(before));
    if (typeof value !== 'number') throw new UpdateRefusedError(14, '$inc of a field that holds no number');
    return JSON.stringify(value + Number(by));
  },
  greater: (before: unknown, operand: unknown): unknown => {
    if (before === null) return operand;
    return compareScalars(JSON.parse(String(operand)), JSON.parse(String(before))) > 0 ? operand : before;
  },
  refuse_path: (path: unknown): never => {
    throw new UpdateRefusedError(28, `${path} cannot be set: there is no object above it`);
  },
  refuse_array: (path: unknown): never => {
    throw new UnsupportedQueryError(`A filter on ${path} met an array: no condition looks into one`);
  },
} as const;
