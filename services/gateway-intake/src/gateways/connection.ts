import type { ConnectionRecord, OrderReference, SigningSettings } from '@order-automation/contracts';

/** How senders of a connection prove themselves (decisions.md section 6). */
export type AuthMethod = ConnectionRecord['auth_method'];

/** A secret, or a public key, with the time after which it proves nothing (milliseconds since the epoch; null: no end). */
export type LiveSecret = {
  readonly value: string;
  readonly expiresAt: number | null;
  /** Counts its use; a secret without one is not counted. */
  readonly id?: string;
  /** An administrator removed it; it is known for the diagnosis of refusals alone. */
  readonly removed?: true;
};

/** Where a connection's payloads have what the generic names do not find: JSON pointers by field. */
export type FieldPaths = Readonly<Partial<Record<keyof ConnectionRecord['paths'], string>>>;

/** Of how it proves itself, and of how its events are read. */
type Proof = 'enabled' | 'auth_method' | 'hmac_header' | 'encoding' | 'prefix';
type Read = 'amount_unit' | 'decimals' | 'currency' | 'types' | 'preset';

/** What administrators set of a connection, as it is stored. `hmac_header` is in lower case; without an `amount_unit` it is `major`. */
export type ConnectionSettings = Readonly<Pick<ConnectionRecord, Proof | Read>> &
  SigningSettings & { readonly paths: FieldPaths };

/** One sender of the generic gateway, as the receiving path needs it: secrets are decrypted, newest first. */
export type Connection = ConnectionSettings & {
  readonly name: string;
  readonly reading: Reading;
  readonly secrets: readonly LiveSecret[];
};

/** Those that still count, newest first. */
export const liveSecrets = (secrets: readonly LiveSecret[], now: number): readonly LiveSecret[] =>
  secrets.filter((one) => isLive(one, now));

export const isLive = ({ expiresAt }: LiveSecret, now: number): boolean => expiresAt === null || expiresAt > now;

/** How a secret is called where people read it: its last four characters. */
export const nameOf = ({ value }: Pick<LiveSecret, 'value'>): string => `the secret …${value.slice(-4)}`;

export type Reading = NonNullable<OrderReference['reading']>;

/** How a sender's references to orders are read, as it is stored: what is absent has the default. */
export type StoredReading = {
  readonly order_reference?: Reading['order_reference'];
  /** Empty: none of its own. */
  readonly order_prefix?: string;
};

export const readingOf = ({ order_reference = 'auto', order_prefix = '' }: StoredReading): Reading => ({
  order_reference,
  order_prefix: order_prefix === '' ? null : order_prefix,
});

/** What the environment says wins, field by field. */
export const readingBy = (stored: StoredReading, environment: StoredReading = {}): Reading =>
  readingOf({ ...stored, ...environment });

/** As an event carries it: the default needs no words. */
export const writtenReading = (reading: Reading | undefined): Reading | undefined =>
  reading?.order_reference === 'auto' && reading.order_prefix === null ? undefined : reading;
