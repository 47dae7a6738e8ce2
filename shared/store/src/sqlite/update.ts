import { UnsupportedQueryError, UpdateRefusedError } from '../errors';
import type { JsonObject } from './codec';
import { columnName, contentSql, depends, partSql } from './columns';
import { docSql, storedSql } from './compression';
import { jsonPath, prefixesOf, segmentsOf } from './path';
import { compareScalars, kindOf } from './scalar';
import { checkIndexable, type Schema } from './schema';

/** What an update does at one path; of those that set a value `bound` names the value. */
type Step = {
  readonly operator: string;
  readonly path: string;
  readonly segments: readonly string[];
  readonly bound: string;
};

const operators = new Set(['$set', '$unset', '$inc', '$max']);

/** What stands behind SET in an UPDATE, and what is bound to the names in it. */
export type UpdateSql = { readonly text: string; readonly values: Readonly<Record<string, string | number>> };

/** Texts of updates that are kept for each collection. */
const maxTexts = 200;

/**
 * An update carried out by SQLite itself: the document, and the columns that depend on what changes. Refuses operators outside the port's subset,
 * `_id`, paths that get into each other's way, and what an index cannot hold; SQLite refuses what a document does not allow. The text depends on
 * operators and paths alone: it is made once for all updates that have the same.
 */
export function updateSql(update: JsonObject, schema: Schema): UpdateSql {
  const values: Record<string, string | number> = {};
  const shape: [string, string[]][] = [];
  let bound = 0;
  for (const [operator, fields] of Object.entries(update)) {
    if (!operators.has(operator)) throw new UnsupportedQueryError(`Update operator ${operator} is not supported`);
    if (typeof fields !== 'object' || fields === null) throw new UnsupportedQueryError(`${operator} wants an object`);
    const paths = Object.keys(fields);
    shape.push([operator, paths]);
    if (operator === '$unset') continue;
    for (const path of paths) {
      values[`s${bound}`] = boundOf(operator, path, (fields as JsonObject)[path], schema);
      bound += 1;
    }
  }
  const key = JSON.stringify(shape);
  const known = schema.updates.get(key);
  if (known !== undefined) return { text: known, values };
  const text = textOf(stepsOf(shape), schema);
  if (schema.updates.size === maxTexts) schema.updates.clear();
  schema.updates.set(key, text);
  return { text, values };
}

/** The value as it is bound. Refuses an array or an object where an index needs one value. */
function boundOf(operator: string, path: string, operand: unknown, schema: Schema): string | number {
  if (operator === '$max') kindOf(operand, path);
  if (operator === '$inc') {
    if (typeof operand !== 'number') throw new UnsupportedQueryError('$inc wants a number');
    return operand;
  }
  if (typeof operand === 'object') {
    const document = segmentsOf(path).reduceRight((inner: unknown, segment) => ({ [segment]: inner }), operand);
    checkIndexable(schema.indexedPaths, schema.arrayFree, document);
  }
  return JSON.stringify(operand);
}

function textOf(steps: readonly Step[], schema: Schema): string {
  const sets = steps.filter(({ operator }) => operator !== '$unset');
  for (const { path } of sets) refuseBelowIndexed(path, schema);
  const contents = sets.map(contentOf);
  const gone = steps.filter(({ operator }) => operator === '$unset');
  const doc = changedSql(steps, sets, contents, gone);
  const columns = schema.columns.all.flatMap((column) => {
    const step = steps.find(({ path }) => depends(column, path));
    if (step === undefined) return [];
    const isBelow = column.path === step.path || column.path.startsWith(`${step.path}.`);
    if (!isBelow) return [`${columnName(column)} = ${contentSql(column, doc)}`];
    const content = contents[sets.indexOf(step)];
    const below = segmentsOf(column.path).slice(step.segments.length);
    return [`${columnName(column)} = ${content === undefined ? 'NULL' : partSql(column, content, below)}`];
  });
  return [`doc = ${storedSql(doc)}`, ...columns].join(', ');
}

function stepsOf(shape: readonly (readonly [operator: string, paths: readonly string[]])[]): Step[] {
  if (shape.length === 0) throw new UnsupportedQueryError('An update wants an operator');
  let bound = 0;
  const steps = shape.flatMap(([operator, paths]) =>
    paths.map((path): Step => {
      const segments = segmentsOf(path);
      if (segments[0] === '_id') throw new UnsupportedQueryError('_id cannot be updated');
      return { operator, path, segments, bound: operator === '$unset' ? '' : `@s${bound++}` };
    }),
  );
  const paths = steps.map((step) => step.path).sort();
  for (const [index, path] of paths.entries())
    if (paths.slice(index + 1).some((other) => other === path || other.startsWith(`${path}.`)))
      throw new UnsupportedQueryError(`An update changes ${path} twice`);
  return steps;
}

function refuseBelowIndexed(path: string, schema: Schema): void {
  const inIndexed = prefixesOf(path)
    .slice(0, -1)
    .find((prefix) => schema.indexedPaths.has(prefix));
  if (inIndexed !== undefined) throw new UnsupportedQueryError(`${inIndexed} is indexed: it holds a scalar`);
}

/** SQL for the JSON of what a step puts at its path; `bound` names what is bound to it. */
function contentOf({ operator, segments, bound }: Step): string {
  const before = `${docSql} -> ${jsonPath(segments)}`;
  if (operator === '$inc') return `increased(${before},${bound})`;
  return operator === '$max' ? `greater(${before},${bound})` : bound;
}

/** Between two changes the document stays in SQLite's own form of JSON, which need not be parsed again. */
function changedSql(
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
            (prefix) =>
              `WHEN json_type(${docSql},${jsonPath(segmentsOf(prefix))}) <> 'object' THEN refuse_path('${path}')`,
          ),
  );
  return checks.length === 0 ? docSql : `CASE ${[...new Set(checks)].join(' ')} ELSE ${docSql} END`;
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
