/** Deeper parts are copied as text: a cycle ends there. */
const maxDepth = 100;

/**
 * What `JSON.parse(JSON.stringify(value))` gives, without the text: nothing is shared with the value, and nothing is in it that would not travel to
 * another process. Throws where JSON does: cycles, bigints. `bytes`: a schema has seen to it that bytes stand only where it writes them as base64; they
 * are copied as they are.
 */
export function jsonCopy(value: unknown, bytes = false, depth = 0): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return value;
    case 'number':
      // Adding zero turns -0 into 0.
      return Number.isFinite(value) ? value + 0 : null;
    case 'object':
      if (value === null) return null;
      if (bytes && value instanceof Uint8Array) return new Uint8Array(value);
      return depth < maxDepth && isPlain(value) ? partsCopy(value, bytes, depth + 1) : textCopy(value);
    default:
      return textCopy(value);
  }
}

/** An object is cloned before its fields are copied: one made field by field becomes a slow dictionary from a dozen fields on. */
function partsCopy(value: object, bytes: boolean, depth: number): unknown {
  if (Array.isArray(value)) return Array.from(value, (item: unknown) => jsonCopy(item, bytes, depth) ?? null);
  const copy: Record<string, unknown> = { ...value };
  for (const key in copy) {
    const field = copy[key];
    if (typeof field === 'string' || typeof field === 'boolean') continue;
    if (key === '__proto__') return textCopy(value);
    const inner = jsonCopy(field, bytes, depth);
    if (inner === undefined) return fieldsCopy(value, bytes, depth);
    if (!Object.is(inner, field)) copy[key] = inner;
  }
  return copy;
}

/** Without the fields that JSON leaves out. */
function fieldsCopy(value: object, bytes: boolean, depth: number): unknown {
  const copy: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value)) {
    if (key === '__proto__') return textCopy(value);
    const inner = jsonCopy(field, bytes, depth);
    if (inner !== undefined) copy[key] = inner;
  }
  return copy;
}

function isPlain(value: object): boolean {
  if ('toJSON' in value) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Each realm has its own prototype of objects, which has none.
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
}

function textCopy(value: unknown): unknown {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? undefined : JSON.parse(text);
}
