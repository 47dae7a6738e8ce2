/** Somebody to be erased. The address in lower case. */
export type Person = { readonly email: string | null; readonly customerId: number | null };

const inAddress = /[a-z0-9._%+-]/;

/** Whether a text holds the whole address, in either case: `bada@example.com` is not `ada@example.com`. */
export function holdsAddress(text: string, email: string): boolean {
  const lower = text.toLowerCase();
  for (let at = lower.indexOf(email); at >= 0; at = lower.indexOf(email, at + 1)) {
    const before = lower[at - 1] ?? ' ';
    const after = lower.slice(at + email.length, at + email.length + 2);
    if (!inAddress.test(before) && !/^([a-z0-9_-]|\.[a-z0-9])/.test(after)) return true;
  }
  return false;
}

/** Whether a payload is about the person: the address in any text, or the number in any field called `customer_id`. */
export function isAbout(payload: unknown, { email, customerId }: Person): boolean {
  const waiting: unknown[] = [payload];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value === 'string' && email !== null && holdsAddress(value, email)) return true;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, field] of Object.entries(value)) {
      if (customerId !== null && name === 'customer_id' && String(field) === String(customerId)) return true;
      if (email !== null && holdsAddress(name, email)) return true;
      if (field !== undefined) waiting.push(field);
    }
  }
  return false;
}

export function withoutAddress<T>(value: T, email: string): T {
  if (typeof value === 'string') return (holdsAddress(value, email) ? '[erased]' : value) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withoutAddress(item, email)) as T;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withoutAddress(field, email)])) as T;
}

/** Reads and erases a batch of the documents behind an id. Resolves with the id of the last; undefined where there were none. */
export type ErasureWalk = (after: string) => Promise<string | undefined>;

/** Batches of a call that names where it begins. */
const batchesOfCall = 20;

/**
 * Walks collections one after the other. Resolves with where the next call goes on, null at the end. A caller of an earlier version names no
 * beginning: it has everything walked in one call.
 */
export async function walkForErasure(from: string | undefined, walks: readonly ErasureWalk[]): Promise<string | null> {
  const [, begun = '0', behind = ''] = /^(\d+):(.*)$/s.exec(from ?? '') ?? [];
  let batches = 0;
  for (let index = Number(begun), last: string | undefined = behind; index < walks.length; index += 1, last = '') {
    while (last !== undefined) {
      if (from !== undefined && batches === batchesOfCall) return `${index}:${last}`;
      last = await walks[index]?.(last);
      batches += 1;
    }
  }
  return null;
}
