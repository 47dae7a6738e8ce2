import { UnsupportedQueryError } from '../errors';
import type { JsonObject } from './codec';
import { docSql } from './compression';
import { jsonPath, literal, segmentsOf } from './path';

type Tree = Map<string, Tree>;

export type Projection = Readonly<Record<string, unknown>>;

/** The fields that a projection leaves out; those of one that names what is returned are none. */
export function excludedFields(projection: Projection): string[] {
  const fields = Object.keys(projection);
  return fields.length > 0 && fields.every((field) => projection[field] === 0) ? fields : [];
}

/** The paths of a projection that names what is returned, and `_id`. */
export function returned(projection: Projection): string[] {
  const entries = Object.entries({ ...projection, _id: projection._id ?? 1 });
  const odd = entries.find(([, flag]) => flag !== 1);
  if (odd) throw new UnsupportedQueryError(`The projection of ${odd[0]} is not 1`);
  return entries.map(([path]) => path);
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

/** Takes a document apart: the fields at these paths. */
export function project(paths: readonly string[]): (document: unknown) => unknown {
  const root = treeOf(paths);
  return (document) => included(document, root);
}

/**
 * SQL for the text of a document with the fields at these paths alone, so that the rest is neither copied nor parsed. Below an array everything
 * is in it: `project` takes the rest away.
 */
export function projectedSql(paths: readonly string[]): string {
  if (paths.length === 1 && paths[0] === '_id') return "json_object('_id', id)";
  return objectSql(treeOf(paths), []);
}

function objectSql(tree: Tree, above: readonly string[]): string {
  const fields = [...tree].map(([segment, below]) => {
    const segments = [...above, segment];
    const value = `${docSql} -> ${jsonPath(segments)}`;
    const shown =
      below.size === 0
        ? `(${value})`
        : `CASE json_type(${docSql},${jsonPath(segments)}) WHEN 'object' THEN ${objectSql(below, segments)} ELSE ${value} END`;
    return `ifnull(${literal(`,${JSON.stringify(segment)}:`)} || ${shown}, '')`;
  });
  return `'{' || ltrim(${fields.join(' || ')}, ',') || '}'`;
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
