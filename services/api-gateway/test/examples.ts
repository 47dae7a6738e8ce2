import type { Route } from '../src/http/route';
import type { Ask } from './gateway';

/** The address of a row's example request. */
export function exampleAddress({ path, example = {} }: Pick<Route, 'path' | 'example'>): string {
  const { params = {}, query = {} } = example;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

/** Headers and body of a row's example request. */
export function exampleAsk(
  { rawBody, example }: Pick<Route, 'rawBody' | 'example'>,
  headers: Ask['headers'] = {},
): Ask {
  const [type] = rawBody?.types ?? [];
  if (type !== undefined) return { headers: { 'content-type': type, ...headers }, raw: String(example?.body ?? '{}') };
  return example?.body === undefined ? { headers } : { headers, json: example.body };
}
