import { join } from 'node:path';
import { auditConfiguration, startAudit } from '@order-automation/audit';
import { inProcessBus } from '@order-automation/bus';
import { createLogger, createMetrics, type Env, parseConfig, systemClock } from '@order-automation/service';
import { addFunctions, type Store, sqliteStore } from '@order-automation/store';
import Database from 'better-sqlite3';
import { keptSecrets } from '../generated';

export type Verified = { readonly valid: boolean; readonly checked: number; readonly reason: string | null };

/** Checks the whole log of a data folder that no process uses. Throws ConfigError without a SECRET_KEY. */
export async function verifyLogOf(dataDir: string, env: Env): Promise<Verified> {
  const store = await sqliteStore({ file: join(dataDir, 'audit.sqlite'), thread: 'inline' });
  return verifyLog(store, { ...keptSecrets(dataDir), ...env });
}

/** Milliseconds for a part of the log: nobody waits for it but the operator, who can interrupt it. */
const partTimeout = 3_600_000;

/**
 * Checks the whole log in a store that no process uses, and closes it. `onChecked` is called with the number of entries after each part of some
 * thousands. Throws ConfigError without a SECRET_KEY.
 */
export async function verifyLog(store: Store, env: Env, onChecked = (_checked: number): void => undefined) {
  const log = createLogger({ name: 'verify', level: 'silent' });
  const bus = inProcessBus({ log });
  const deps = { bus, store, log, metrics: createMetrics('audit'), clock: systemClock };
  const audit = await startAudit(deps, parseConfig(auditConfiguration, env));
  try {
    let [from_id, checked] = [0, 0];
    for (;;) {
      const part = await bus.request('audit.log.verify.v1', { from_id, to_id: null }, { timeout: partTimeout });
      checked += part.checked;
      onChecked(checked);
      if (!part.valid || part.next_id === null)
        return { valid: part.valid, checked, reason: part.reason } satisfies Verified;
      from_id = part.next_id;
    }
  } finally {
    await audit.close();
    await bus.close();
    await store.close();
  }
}

/** How many webhooks of a data folder are in each state of the inbox. */
export function inboxStates(dataDir: string): Record<string, number> {
  const database = new Database(join(dataDir, 'gateway-intake.sqlite'), { readonly: true });
  try {
    addFunctions(database);
    const rows = database
      .prepare(
        "SELECT json_extract(plain(doc), '$.state') AS state, count(*) AS count FROM inbox GROUP BY 1 ORDER BY 1",
      )
      .all() as { state: string; count: number }[];
    return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  } finally {
    database.close();
  }
}
