import { ConfigError } from '@order-automation/service';
import { z } from 'zod';
import type { ForeignIssuer } from './tokens';

const secretParts = ['d', 'k', 'p', 'q', 'dp', 'dq', 'qi', 'oth'];
const publicKeySchema = z
  .looseObject({ kty: z.enum(['OKP', 'EC', 'RSA']), kid: z.string().min(1).max(200) })
  .refine((key) => secretParts.every((part) => !(part in key)), 'must hold public keys alone');

/** A set of public keys (RFC 7517) as JSON. Each has a `kid` of its own. */
export const keySetSchema = z.string().transform((text, context) => {
  const read = z.object({ keys: z.array(publicKeySchema).min(1).max(100) }).safeParse(parsed(text));
  const ids = read.data?.keys.map(({ kid }) => kid) ?? [];
  if (read.success && new Set(ids).size === ids.length) return read.data;
  const message = 'must be a JSON Web Key Set of public keys (OKP, EC or RSA), each with a kid of its own';
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export type ForeignIssuerConfig = {
  readonly jwtIssuer: string | undefined;
  readonly jwtAudience: string;
  readonly jwtKeys: z.infer<typeof keySetSchema> | undefined;
};

/** The issuer that the configuration names, if any. Throws ConfigError when one half of it is missing. */
export function foreignIssuer({ jwtIssuer, jwtAudience, jwtKeys }: ForeignIssuerConfig): ForeignIssuer | undefined {
  if (jwtIssuer === undefined && jwtKeys === undefined) return undefined;
  if (jwtIssuer === undefined) {
    const problem = 'is not set, and JWT_JWKS_FILE has the keys of an issuer';
    throw new ConfigError([{ variable: 'JWT_ISSUER', problem, example: 'https://login.example.com' }]);
  }
  if (jwtKeys === undefined) {
    const problem = 'is not set, and without the keys of JWT_ISSUER its tokens cannot be checked';
    throw new ConfigError([{ variable: 'JWT_JWKS_FILE', problem, example: '/etc/order-automation/jwks.json' }]);
  }
  return { issuer: jwtIssuer, audience: jwtAudience, keys: jwtKeys };
}
