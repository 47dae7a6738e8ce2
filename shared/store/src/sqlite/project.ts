import { UnsupportedQueryError } from '../errors';
import type { JsonObject } from './codec';
import { segmentsOf } from './path';

type Tree = Map<string, Tree>;

export type Projection = Readonly<Record<string, unknown>>;

/** The fields that a projection leaves out; those of one that names what is returned are none. */
export function leftOut(projection: Projection): string[] {
  const fields = Object.keys(projection);
  return fields.length > 0 && fields.every((field) => projection[field] === 0) ? fields : [];
}

/** Takes a document apart: the fields of the projection, and `_id`. */
export function project(projection: Projection): (document: unknown) => unknown {
  const root: Tree = new Map();
  for (const [path, flag] of Object.entries({ ...projection, _id: projection._id ?? 1 })) {
    if (flag !== 1) throw new UnsupportedQueryError(`The projection of ${path} is not 1`);
    let node = root;
    for (const segment of segmentsOf(path)) {
      const next: Tree = node.get(segment) ?? new Map();
      node.set(segment, next);
      node = next;
    }
  }
  return (document) => included(document, root);
}

function included(value: unknown, tree: Tree): unknown {
  if (tree.size === 0) return value;
  if (Array.isArray(value)) return value.filter(isInner).map((element) => included(element, tree));
  const kept = Object.entries(value as JsonObject).flatMap(([key, inner]) => {
    const below = tree.get(key);
    if (below === undefined || (below.size > 0 && !isInner(inner))) return [];
    return [[key, included(inner, below)] as const];
  });
  return Object.fromEntries(kept);
}

const isInner = (value: unknown): boolean => typeof value === 'object' && value !== null;
