import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JSONWebKeySet } from 'jose';
import { z } from 'zod';

const file = join(__dirname, '..', 'assets', 'licence-keys.json');
const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })).max(100) });

/** The vendor's public keys as the image has them; the source tree has none. A file that is no key set counts as empty. */
export function shippedLicenceKeys(): JSONWebKeySet {
  try {
    return keySet.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return { keys: [] };
  }
}
