import { z } from 'zod';

/** decisions.md section 9. */
export const roleSchema = z.enum(['administrator', 'shop_manager', 'shop_viewer']);
export type Role = z.infer<typeof roleSchema>;

export type Capability = 'manage_shop' | 'view_shop_reports';

const capabilities: Readonly<Record<Role, readonly Capability[]>> = {
  administrator: ['manage_shop', 'view_shop_reports'],
  shop_manager: ['manage_shop', 'view_shop_reports'],
  shop_viewer: ['view_shop_reports'],
};

export const capabilitiesOf = (role: Role): readonly Capability[] => capabilities[role];

/** A name without a colon, which Basic authentication could not carry; case does not tell users apart. */
export const userNameSchema = z
  .string()
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N}._@+-]{0,59}$/u,
    'must be 1 to 60 letters, digits and . _ @ + -, beginning with a letter or digit',
  );

/** The form in which a user name identifies: names that differ in case or in Unicode composition are one user. */
export const nameKey = (name: string): string => name.normalize('NFKC').toLowerCase();

/** What an application password or a token may do: read alone, or all that its user may. */
export const scopeSchema = z.enum(['read', 'full']);
export type Scope = z.infer<typeof scopeSchema>;

export type Credential = {
  readonly kind: 'session' | 'application_password' | 'token';
  readonly id: string;
  readonly scope: Scope;
};

/** Somebody we know, and the credential that proved it. */
export type Identity = {
  readonly userId: string;
  readonly name: string;
  readonly role: Role;
  readonly credential: Credential;
};
