import { invalidParameters } from '@order-automation/contracts';

/** The ETag of a version (decisions.md section 3). */
export function versionTag(version: number): string {
  return `"${version}"`;
}

/** No rule has this version: a tag that is none of ours never matches. */
const noVersion = 0;

/** The version that an If-Match header asks for; null when any will do. Throws 400 when it names several. */
export function requiredVersion(ifMatch: string | undefined): number | null {
  const text = ifMatch?.trim();
  if (text === undefined || text === '' || text === '*') return null;
  if (text.includes(',')) {
    throw invalidParameters([{ path: 'If-Match', message: 'must be a single entity tag, as the ETag header gave it' }]);
  }
  const digits = /^"(\d{1,15})"$/.exec(text)?.[1];
  return digits === undefined ? noVersion : Number(digits);
}
