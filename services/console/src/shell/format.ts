/** How the console writes times, money and words. Pure: the zone is an argument. */

const locale = 'en-GB';

/** What the clocks of the zone show at an instant. */
function partsOf(instant: number, timeZone: string) {
  const format = new Intl.DateTimeFormat(locale, {
    timeZone,
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
  return Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
}

/** `14:03:22` today, `22 Nov, 14:03` this year, `3 Mar 2025, 14:03` before, by the clocks of the shop. */
export function timeText(iso: string, now: number, timeZone: string): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return iso;
  const [then, today] = [partsOf(at, timeZone), partsOf(now, timeZone)];
  const sameYear = then.year === today.year;
  if (sameYear && then.month === today.month && then.day === today.day)
    return `${then.hour}:${then.minute}:${then.second}`;
  return `${then.day} ${then.month}${sameYear ? '' : ` ${then.year}`}, ${then.hour}:${then.minute}`;
}

const instant = /((?<!\[)\b\d{4}-\d\d-\d\d(?:T[\d:.]+Z| \d\d:\d\d(?::\d\d)? UTC))/;

/** The pieces of a text, its instants apart; one in brackets is quoted, as in a note that begins with its time. */
export function withInstants(text: string): (string | { readonly at: string })[] {
  const at = (part: string) => part.replace(' UTC', 'Z').replace(' ', 'T');
  return text.split(instant).map((part) => (instant.test(part) ? { at: at(part) } : part));
}

/** The exact instant with the name of the zone, shown where a person points at a time. */
export function exactTime(iso: string, timeZone: string): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return iso;
  const { day, month, year, hour, minute, second } = partsOf(at, timeZone);
  return `${day} ${month} ${year}, ${hour}:${minute}:${second} ${timeZone} (${new Date(at).toISOString()})`;
}

/** `3 minutes ago`, `in 2 hours`. */
export function distanceText(iso: string, now: number): string {
  const seconds = Math.round((Date.parse(iso) - now) / 1000);
  const units = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
    ['second', 1],
  ] as const;
  const [unit, length] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(Math.round(seconds / length), unit);
}

/** `12 ms`, `1.4 s`, `2 min 5 s`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}

/** An exact amount as the shop writes it: `€31.50`. */
export function moneyText(amount: string, currency: string): string {
  try {
    return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount as unknown as number);
  } catch {
    return `${amount} ${currency}`;
  }
}

export const countText = (count: number): string => new Intl.NumberFormat(locale).format(count);

/** `1 rule`, `2 rules`, `2 entries`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${countText(count)} ${count === 1 ? one : many}`;

/** An id in words: `rule_evaluation`, `on-hold` and `billing.country` are "Rule evaluation", "On hold" and "Billing country". */
export const inWords = (id: string): string => sentence(id.replaceAll(/[._-]+/g, ' ').trim());

const ofWooCommerce = /^(?:pending|processing|on-hold|completed|cancelled|refunded|failed|checkout-draft|trash)$/;

/** A sentence with the names of statuses for their keys: those of WooCommerce in English, those of plugins as the shop calls them. */
export const statusesNamed = (text: string, names: Readonly<Record<string, string>>): string =>
  text.replace(/(?<=\b(?:status|from|to|in|is|is still|was|needs|wants|or) )[a-z][\w-]*(?![\w-])/g, (key) =>
    ofWooCommerce.test(key) ? key.replace('-', ' ') : Object.hasOwn(names, key) ? (names[key] ?? key) : key,
  );

/** A sentence with the number of its order, where it names it by its id alone. */
export const orderNamed = (text: string, id: number | null, number: string | undefined): string =>
  number === undefined
    ? text
    : text.replace(new RegExp(`\\border ${id}\\b(?! \\(number)`, 'i'), (order) => `${order} (number ${number})`);

/** A quoted name that is written from right to left changes the order of no other word. */
export const namesApart = (text: string): string => text.replace(/"([^"]*[\u0590-\u08ff][^"]*)"/g, '"\u2068$1\u2069"');

/** A sentence begins with a capital letter. */
export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Browser and system of a `User-Agent` header, as far as it says; else the header itself, shortened. */
export function browserText(userAgent: string | null): string {
  if (userAgent === null) return 'unknown';
  const browsers = { Edg: 'Edge', OPR: 'Opera', Firefox: '', HeadlessChrome: 'Chrome', Chrome: '', Safari: '' };
  const [browser, name] = Object.entries(browsers).find(([mark]) => userAgent.includes(`${mark}/`)) ?? [];
  const system = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS X', 'Linux'].find((mark) => userAgent.includes(mark));
  if (browser === undefined || system === undefined) return userAgent.slice(0, 60);
  return `${name || browser} on ${system === 'Mac OS X' ? 'macOS' : system}`;
}

export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '(none)';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
