import type { IntakeConfig } from '../config';
import type { ConnectionCollection } from './collection';

/** When the last of these secrets ends, in milliseconds since the epoch; null when one has no end, or there is none. */
export function lastEnd(ends: readonly (number | null)[]): number | null {
  return ends.reduce<number | null>(
    (last, end) => (last === null || end === null ? null : Math.max(last, end)),
    ends[0] ?? null,
  );
}

/** When the last secret of each endpoint ends; endpoints whose newest secret has no end are not in it. */
export async function secretEnds(
  config: Pick<IntakeConfig, 'cardSecrets' | 'shopSecrets'>,
  collection: ConnectionCollection,
): Promise<ReadonlyMap<string, number>> {
  const connections = (await collection.all()).filter(({ enabled }) => enabled);
  const ends: [string, readonly (number | null)[]][] = [
    ['gateway_card', config.cardSecrets.reveal().map(({ expiresAt }) => expiresAt)],
    ['gateway_shop', config.shopSecrets.reveal().map(({ expiresAt }) => expiresAt)],
    ...connections.map(({ _id, secrets }): [string, (number | null)[]] => [
      `generic/${_id}`,
      secrets.map(({ expires_at }) => (expires_at === null ? null : Date.parse(expires_at))),
    ]),
  ];
  return new Map(
    ends.flatMap(([endpoint, each]) => {
      const last = lastEnd(each);
      return last === null ? [] : [[endpoint, last] as const];
    }),
  );
}
