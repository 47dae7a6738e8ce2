/** Foreign fields called `1.3` or `$x`, paths and operators to a database, are stored as `1%2E3` and `%24x`; other names are stored as they are. */
const stored = (name: string): string =>
  name
    .replace(/%(?=2E|24|25)/g, '%25')
    .replaceAll('.', '%2E')
    .replaceAll('$', '%24');

const shown = (name: string): string => name.replace(/%(2E|24|25)/g, (code) => decodeURIComponent(code));

export const storedNames = <T>(value: T): T => (holds(value, /[.$]|%2[E45]/) ? renamed(value, stored) : value) as T;
export const shownNames = <T>(value: T): T => (holds(value, /%2[E45]/) ? renamed(value, shown) : value) as T;

/** Whether a name anywhere in it is affected. */
function holds(value: unknown, affected: RegExp): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((item) => holds(item, affected));
  for (const name in value)
    if (affected.test(name) || holds((value as Record<string, unknown>)[name], affected)) return true;
  return false;
}

function renamed(value: unknown, rename: (name: string) => string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [rename(name), renamed(inner, rename)]));
}
