/** Foreign fields called `1.3` or `$x`, paths and operators to a database, are stored as `1%2E3` and `%24x`; other names are stored as they are. */
const stored = (name: string): string =>
  name
    .replace(/%(?=2E|24|25)/g, '%25')
    .replaceAll('.', '%2E')
    .replaceAll('$', '%24');

const shown = (name: string): string => name.replace(/%(2E|24|25)/g, (code) => decodeURIComponent(code));

export const storedNames = <T>(value: T): T => renamed(value, /[.$]|%2[E45]/, stored) as T;
export const shownNames = <T>(value: T): T => renamed(value, /%2[E45]/, shown) as T;

/** The same object where no name changes. */
function renamed(value: unknown, affected: RegExp, rename: (name: string) => string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => renamed(item, affected, rename));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  const entries = Object.entries(value).map(
    ([name, inner]) => [affected.test(name) ? rename(name) : name, renamed(inner, affected, rename)] as const,
  );
  const isSame = entries.every(([name, inner]) => (value as Record<string, unknown>)[name] === inner);
  return isSame ? value : Object.fromEntries(entries);
}
