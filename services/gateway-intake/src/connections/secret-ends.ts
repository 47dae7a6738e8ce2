import { isLive, type LiveSecret } from '../gateways/connection';

/** A sender that proves itself with secrets: its address (`gateway_card`, `generic/erp`) and what they are now. */
export type Sender = { readonly endpoint: string; readonly secrets: readonly LiveSecret[] };

/** A secret that ends soon. `isLast`: no other counts after it. */
export type EndingSecret = {
  readonly secret: LiveSecret;
  /** Milliseconds since the epoch. */
  readonly end: number;
  readonly isLast: boolean;
  /** It has ended already, and nothing counts any more. */
  readonly isOver: boolean;
};

/** Milliseconds before an end in which it is warned of. */
export const warnAhead = 14 * 24 * 3_600_000;

/** When the last of these secrets ends, in milliseconds since the epoch; null when one has no end, or there is none. */
export function lastEnd(ends: readonly (number | null)[]): number | null {
  return ends.reduce<number | null>(
    (last, end) => (last === null || end === null ? null : Math.max(last, end)),
    ends[0] ?? null,
  );
}

/** When the last secret of each sender ends; senders with a secret that does not are not in it. */
export function secretEnds(senders: readonly Sender[]): ReadonlyMap<string, number> {
  return new Map(
    senders.flatMap(({ endpoint, secrets }) => {
      const last = lastEnd(secrets.filter(({ removed }) => !removed).map(({ expiresAt }) => expiresAt));
      return last === null ? [] : [[endpoint, last] as const];
    }),
  );
}

/**
 * The last secret where none counts any more; otherwise those that end within 14 days and that somebody has to do something about: no other counts longer, or none of those that do was used since.
 * `lastUse`: when a secret last proved a webhook, in milliseconds since the epoch, as `now` is.
 */
export function endingSecrets(
  secrets: readonly LiveSecret[],
  { lastUse, now }: { readonly lastUse: (secret: LiveSecret) => number | null; readonly now: number },
): EndingSecret[] {
  const live = secrets.filter((one) => isLive(one, now));
  if (live.length === 0) return lastEnded(secrets);
  return live.flatMap((secret) => {
    const { expiresAt: end } = secret;
    if (end === null || end - now > warnAhead) return [];
    const longer = live.filter(({ expiresAt }) => expiresAt === null || expiresAt > end);
    const used = lastUse(secret) ?? 0;
    const isReplaced = longer.some((one) => (lastUse(one) ?? -1) > used);
    return isReplaced ? [] : [{ secret, end, isLast: longer.length === 0, isOver: false }];
  });
}

function lastEnded(secrets: readonly LiveSecret[]): EndingSecret[] {
  const [secret] = secrets.filter(({ removed }) => !removed).sort((a, b) => (b.expiresAt ?? 0) - (a.expiresAt ?? 0));
  return secret ? [{ secret, end: secret.expiresAt ?? 0, isLast: true, isOver: true }] : [];
}

/** The warning in words; `name` is what the sender is called. */
export function endingText({ secret, end, isLast, isOver }: EndingSecret, name: string, last4 = true): string {
  const which = last4 ? ` (…${secret.value.slice(-4)})` : '';
  const when = `${new Date(end).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  if (isOver)
    return `The last secret of ${name}${which} ended on ${when}: every webhook is refused until it has a new one.`;
  return isLast
    ? `The last secret of ${name}${which} ends on ${when}: give it a new one, or every webhook is refused after that.`
    : `A secret of ${name}${which} ends on ${when} and no newer one has been used since: let the sender sign with the new one before that.`;
}
