import type { RawInput } from '../adapter';
import type { Connection, FieldPaths } from '../connection';
import type { Payload } from '../payload';
import { formatRefusal, type Refusal } from '../refusal';
import { type GenericFields, genericFields, placesOf, valueAt } from './fields';
import { signsBody } from './hmac';

/** GoCardless sends up to 250 events in one body (github.com/api-evangelist/gocardless, asyncapi/gocardless-asyncapi.yml). */
const maxElements = 500;
const tooMany = formatRefusal('too_many_events', `The body holds more than ${maxElements} events.`);

/**
 * The fields of each event in a payload: of every element where a path of the connection has `*` for an index, else of the
 * whole. In an element the generic names are looked for in it alone. A list that is not there, or is empty, leaves one event that names nothing.
 */
export function eventsIn(
  payload: Payload,
  connection: Partial<Connection>,
  headers: RawInput['headers'] = {},
): GenericFields[] {
  const { paths = {} } = connection;
  const list = listOf(paths);
  const elements = elementsOf(payload, list);
  if (elements.length === 0)
    return [genericFields(payload, connection, { scope: signsBody(connection) ? payload : {}, headers })];
  return elements.slice(0, maxElements).map((element: unknown, index) => {
    const own = { ...connection, paths: pathsOf(paths, `${list}/${index}`, `${list}/*`) };
    return genericFields(payload, own, { scope: element as Payload, headers });
  });
}

/** Why none of the events is taken: all of them would be too many for one webhook, and some of them would lose the others. */
export const objectionTo = (payload: Payload, { paths = {} }: { readonly paths?: FieldPaths }): Refusal | undefined =>
  elementsOf(payload, listOf(paths)).length > maxElements ? tooMany : undefined;

function elementsOf(payload: Payload, list: string | undefined): readonly unknown[] {
  const elements = list === undefined ? undefined : valueAt(payload, list);
  return Array.isArray(elements) ? elements : [];
}

/** Where the list of events is, if there is one: before the first `*` of the first path that has one. */
export function listOf(paths: FieldPaths): string | undefined {
  const path = Object.values(paths)
    .flatMap(placesOf)
    .find((one) => /\/\*(?:\/|$)/.test(one));
  return path?.slice(0, path.search(/\/\*(?:\/|$)/));
}

function pathsOf(paths: FieldPaths, element: string, any: string): FieldPaths {
  const within = (path: string): string =>
    path === any || path.startsWith(`${any}/`) ? element + path.slice(any.length) : path;
  const entries = Object.entries(paths).map(([field, path]) => [field, placesOf(path).map(within).join(' | ')]);
  return Object.fromEntries(entries);
}
