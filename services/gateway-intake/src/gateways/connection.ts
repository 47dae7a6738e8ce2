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

/** How a sender signs, where it is not HMAC-SHA256 of the body. */
export type Signing = SigningSettings;

/** One sender of the generic gateway, as the receiving path needs it: secrets are decrypted, newest first. */
export type Connection = {
  readonly name: string;
  readonly enabled: boolean;
  readonly method: AuthMethod;
  /** Lower case. */
  readonly header: string;
  readonly encoding: ConnectionRecord['encoding'];
  readonly prefix: string;
  readonly paths: FieldPaths;
  /** In what its amounts are: cents, or the currency itself. */
  readonly amountUnit: 'major' | 'minor';
  /** How many decimals its minor units stand for, by currency, where they are not those of ISO 4217. */
  readonly decimals?: ConnectionRecord['decimals'];
  /** That of amounts beside which there is none. */
  readonly currency?: ConnectionRecord['currency'];
  /** How the digest of the method `hmac` is made; undefined: HMAC-SHA256 of the body. */
  readonly signing?: Signing;
  readonly types?: ConnectionRecord['types'];
  readonly preset?: ConnectionRecord['preset'];
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
