import { UnsupportedQueryError } from '../errors';
import { docSql } from './compression';
import { jsonPath, literal, segmentsOf } from './path';

export type Projection = Readonly<Record<string, unknown>>;

/** The fields that a projection leaves out; those of one that names what is returned are none. */
export function excludedFields(projection: Projection): string[] {
  const fields = Object.keys(projection);
  return fields.length > 0 && fields.every((field) => projection[field] === 0) ? fields : [];
}

/** The fields of a projection that names what is returned, and `_id`. */
export function returned(projection: Projection): string[] {
  const entries = Object.entries({ ...projection, _id: projection._id ?? 1 });
  const odd = entries.find(([field, flag]) => flag !== 1 || segmentsOf(field).length > 1);
  if (odd) throw new UnsupportedQueryError(`The projection of ${odd[0]} is not 1, or not of a field`);
  return entries.map(([field]) => field);
}

/** SQL for the text of a document with these fields alone, so that the rest is neither copied nor parsed. */
export function projectedSql(fields: readonly string[]): string {
  if (fields.length === 1 && fields[0] === '_id') return "json_object('_id', id)";
  const shown = fields.map(
    (field) => `ifnull(${literal(`,${JSON.stringify(field)}:`)} || (${docSql} -> ${jsonPath([field])}), '')`,
  );
  return `'{' || ltrim(${shown.join(' || ')}, ',') || '}'`;
}
