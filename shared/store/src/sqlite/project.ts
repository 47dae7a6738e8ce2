import { UnsupportedQueryError } from '../errors';
import type { JsonObject } from './codec';
import { rank } from './compare';
import { segmentsOf } from './path';

type Tree = Map<string, Tree>;

type Projection = Readonly<Record<string, 0 | 1 | undefined>>;

const fieldsOf = (projection: Projection) => Object.entries(projection).filter(([path]) => path !== '_id');

/** Whether the projection names what is shown, and not what is left out. */
function isIncluding(projection: Projection): boolean {
  const [first] = fieldsOf(projection);
  return (first === undefined ? projection._id : first[1]) === 1;
}

/** Whether the field is shown. */
export function shows(projection: Projection, field: string): boolean {
  return isIncluding(projection) === Object.hasOwn(projection, field);
}

/** The document with the fields of a projection only, or without them. `_id` stays unless it is set to 0. */
export function project<T>(document: T, projection: Projection): T {
  const entries = fieldsOf(projection);
  const including = isIncluding(projection);
  if (entries.some(([, flag]) => (flag === 1) !== including))
    throw new UnsupportedQueryError('A projection includes or excludes, not both');
  const tree = treeOf(entries.map(([path]) => path));
  const keepId = projection._id !== 0;
  if (including && keepId) tree.set('_id', new Map());
  if (!including && !keepId) tree.set('_id', new Map());
  return (including ? include(document, tree) : exclude(document, tree)) as T;
}

function treeOf(paths: readonly string[]): Tree {
  const root: Tree = new Map();
  for (const path of paths) {
    let node = root;
    for (const segment of segmentsOf(path)) {
      const next: Tree = node.get(segment) ?? new Map();
      node.set(segment, next);
      node = next;
    }
  }
  return root;
}

function include(value: unknown, tree: Tree): unknown {
  if (tree.size === 0) return value;
  if (Array.isArray(value)) return value.filter((e) => rank(e) === 4 || rank(e) === 5).map((e) => include(e, tree));
  const kept = Object.entries(value as JsonObject).flatMap(([key, inner]) => {
    const below = tree.get(key);
    if (below === undefined || (below.size > 0 && rank(inner) !== 4 && rank(inner) !== 5)) return [];
    return [[key, include(inner, below)] as const];
  });
  return Object.fromEntries(kept);
}

function exclude(value: unknown, tree: Tree): unknown {
  if (Array.isArray(value)) return value.map((element) => exclude(element, tree));
  if (rank(value) !== 4) return value;
  const kept = Object.entries(value as JsonObject).flatMap(([key, inner]) => {
    const below = tree.get(key);
    if (below === undefined) return [[key, inner] as const];
    return below.size === 0 ? [] : [[key, exclude(inner, below)] as const];
  });
  return Object.fromEntries(kept);
}
