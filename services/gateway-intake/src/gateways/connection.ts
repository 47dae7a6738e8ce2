import type { ConnectionRecord } from '@order-automation/contracts';
import type { Reading } from '../connections/reading';

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

/** One sender of the generic gateway, as the receiving path needs it: secrets are decrypted, newest first. */
export type Connection = {
  readonly name: string;
  readonly enabled: boolean;
  readonly method: AuthMethod;
  /** Lower case. */
  readonly header: string;
  readonly encoding: 'hex' | 'base64';
  readonly prefix: string;
  readonly paths: FieldPaths;
  /** In what its amounts are: cents, or the currency itself. */
  readonly amountUnit: 'major' | 'minor';
  readonly reading: Reading;
  readonly secrets: readonly LiveSecret[];
};

/** Those that still count, newest first. */
export function liveSecrets(secrets: readonly LiveSecret[], now: number): readonly LiveSecret[] {
  return secrets.filter((one) => isLive(one, now));
}

export function isLive({ expiresAt }: LiveSecret, now: number): boolean {
  return expiresAt === null || expiresAt > now;
}

/** How a secret is called where people read it: its last four characters. */
export function nameOf({ value }: Pick<LiveSecret, 'value'>): string {
  return `the secret …${value.slice(-4)}`;
}
