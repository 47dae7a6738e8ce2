import { isTimeZone } from '@order-automation/contracts';
import { z } from 'zod';
import { parseSubnet } from '../outbound/outbound-addresses';

/** Schemas for the text of a variable. Each takes undefined only when it has a default or is optional. */

export function wholeNumber(min: number, max: number): z.ZodType<number, string> {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^-?\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** A TCP port; 0 means any free one. */
export const portNumber = wholeNumber(0, 65_535);

/** `true` or `false`, also yes/no, on/off, 1/0. */
export const flag: z.ZodType<boolean, string> = z.stringbool({ error: 'must be true or false' });

/** Words separated by white space, at least one. */
export const words: z.ZodType<readonly string[], string> = z.string().transform((text) => text.split(/\s+/));

/** Entries separated by commas or white space, in lower case. */
const entries = z.string().transform((text) => text.toLowerCase().match(/[^\s,]+/g) ?? []);

/** Statuses of orders, with or without the prefix `wc-`, separated by commas or blanks. */
export const statusList: z.ZodType<readonly string[], string> = entries
  .transform((all) => all.map((one) => one.replace(/^wc-/, '')))
  .refine(
    (all) => all.length > 0 && all.every((one) => /^[a-z0-9_-]{1,50}$/.test(one)),
    'must be statuses of orders, such as pending',
  );

/** An absolute URL of one of these schemes, given without the colon. */
export function urlOf(...schemes: readonly string[]): z.ZodType<string, string> {
  const message = `must be a URL that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`;
  return z.string().refine((text) => {
    const scheme = /^([a-z][a-z0-9+]*):\/\/[^\s]+$/i.exec(text)?.[1]?.toLowerCase();
    return scheme !== undefined && schemes.includes(scheme);
  }, message);
}

/** 32 bytes in base64, one or several separated by white space, newest first. */
export const base64Keys: z.ZodType<readonly Buffer[], string> = words.transform((parts, context) => {
  const keys = parts.map((part) => Buffer.from(part, 'base64'));
  const good = parts.every((part, index) => /^[A-Za-z0-9+/]{43}=$/.test(part) && keys[index]?.length === 32);
  if (!good) context.addIssue({ code: 'custom', message: 'each key must be 32 bytes in base64 (44 characters)' });
  return keys;
});

/** A name of the IANA time zone database, as the runtime knows it. */
export const timeZoneName: z.ZodType<string, string> = z
  .string()
  .refine(isTimeZone, 'must be the name of an IANA time zone such as Europe/Berlin');

const millisecondsOf = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A duration such as `500ms`, `30s`, `15m`, `24h` or `7d`; its value is in milliseconds. */
export const duration: z.ZodType<number, string> = quantity(
  /^(\d{1,6})(ms|s|m|h|d)$/,
  millisecondsOf,
  'must be a duration such as 30s, 15m, 24h or 7d',
);

const bytesOf = { B: 1, KiB: 1_024, MiB: 1_048_576, GiB: 1_073_741_824 } as const;

/** A size such as `512KiB`, `32MiB` or `1GiB`; its value is in bytes. */
export const byteSize: z.ZodType<number, string> = quantity(
  /^(\d{1,6})(B|KiB|MiB|GiB)$/,
  bytesOf,
  'must be a size such as 512KiB, 32MiB or 1GiB',
);

function quantity(form: RegExp, units: Readonly<Record<string, number>>, message: string): z.ZodType<number, string> {
  return z.string().transform((text, context) => {
    const [, digits, unit = ''] = form.exec(text) ?? [];
    const value = Number(digits) * (units[unit] ?? Number.NaN);
    if (value > 0) return value;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
}

/** Names of hosts in lower case, and addresses or subnets in CIDR notation. */
type HostList = { readonly hosts: readonly string[]; readonly subnets: readonly string[] };

const hostName = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_]([a-z0-9_-]{0,62}))*$/;

/** Host names, addresses and subnets, separated by commas or white space. */
export const hostList: z.ZodType<HostList, string> = entries.transform((all, context) => {
  const subnets = all.filter((entry) => parseSubnet(entry) !== undefined);
  const hosts = all.filter((entry) => !subnets.includes(entry));
  if (hosts.every((host) => hostName.test(host) && !/^[\d.]+$/.test(host))) return { hosts, subnets };
  context.addIssue({ code: 'custom', message: 'must be host names, addresses or subnets, separated by commas' });
  return z.NEVER;
});
