import { createHash } from 'node:crypto';
import type { KnownCall } from './call';

/** The ETag of a version (decisions.md section 3). */
export const versionTag = (version: number): string => `"${version}"`;

export const textTag = (text: string): string =>
  `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;

/** No rule has this version: a tag that is none of ours never matches. */
const noVersion = 0;

/** The versions that an If-Match header names; null when any will do. A weak tag never matches (RFC 9110, section 13.1.1). */
export function namedVersions(ifMatch: string | undefined): readonly number[] | null {
  const tags = (ifMatch ?? '').split(',').map((tag) => tag.trim());
  if (tags.includes('*') || tags.every((tag) => tag === '')) return null;
  return tags.filter((tag) => tag !== '').map((tag) => Number(/^"(\d{1,15})"$/.exec(tag)?.[1] ?? noVersion));
}

/** The version of this rule that the caller asks for: of several, the one that the rule has; null when any will do. */
export async function requiredVersion(
  { header, ask }: Pick<KnownCall, 'header' | 'ask'>,
  id: number,
): Promise<number | null> {
  const versions = namedVersions(header('if-match'));
  if (versions === null) return null;
  const [only = noVersion] = versions;
  if (versions.length === 1) return only;
  const { version } = (await ask('rules.rule.get.v1', { id })).record;
  return versions.includes(version) ? version : noVersion;
}
