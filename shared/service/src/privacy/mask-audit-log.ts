import type { NewAuditEntry } from '@order-automation/contracts';
import { redacted } from '../process/secret';
import { maskNumber } from './card-numbers';
import { isCleanText, maskText } from './mask-text';
import { isSecretName } from './masked';

const deepest = 24;
const maxItems = 500;

const harmlessNames = new Set<string>();

/** Whether a field of this name keeps its name and its value. */
function isHarmlessName(name: string): boolean {
  if (harmlessNames.has(name)) return true;
  const harmless = !/[$\0]/.test(name) && name !== '__proto__' && !isSecretName(name) && isCleanText(name);
  if (harmless && harmlessNames.size < 1000) harmlessNames.add(name);
  return harmless;
}

/** True for what `maskDetails` would only copy, as nearly all details are. */
function isClean(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isCleanText(value);
  if (typeof value === 'number') return Math.abs(value) < 1e12;
  if (typeof value !== 'object' || value === null) return true;
  if (depth > deepest) return false;
  return Array.isArray(value) ? areClean(value, depth) : hasCleanFields(value as Record<string, unknown>, depth);
}

function areClean(items: readonly unknown[], depth: number): boolean {
  if (items.length > maxItems) return false;
  for (const item of items) if (!isClean(item, depth + 1)) return false;
  return true;
}

function hasCleanFields(fields: Record<string, unknown>, depth: number): boolean {
  let names = 0;
  for (const name in fields) {
    names += 1;
    if (names > maxItems || !isHarmlessName(name)) return false;
    if (!isClean(fields[name], depth + 1)) return false;
  }
  return true;
}

/** A copy that can be stored and shown: secrets masked by name and by shape, depth and length bounded. */
export function maskDetails(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return maskText(value);
  if (typeof value === 'number') return maskNumber(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > deepest) return '[deep]';
  if (Array.isArray(value)) return value.slice(0, maxItems).map((item) => maskDetails(item, depth + 1));
  return maskFields(value, depth);
}

function maskFields(value: object, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value).slice(0, maxItems)) {
    if (name === '__proto__') continue;
    const key = name.includes('$') || name.includes('\0') ? name.replaceAll('\0', '').replace(/^\$+/, '') : name;
    copy[maskText(key)] = isSecretName(name) && inner !== null ? redacted : maskDetails(inner, depth + 1);
  }
  return copy;
}

type EntryTexts = Pick<NewAuditEntry, 'summary' | 'details'>;

/** The last line of defence: senders leave secrets out, and what one forgets does not reach the log (decisions.md section 7). */
export function maskEntry({ summary, details }: EntryTexts): EntryTexts {
  return {
    summary: maskText(summary),
    details: isClean(details, 0) ? details : (maskDetails(details) as Record<string, unknown>),
  };
}
