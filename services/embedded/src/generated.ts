import { randomBytes, randomInt } from 'node:crypto';
import { chmodSync, closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Env } from '@order-automation/service';

/** The file in the data directory that keeps what this installation made for itself. */
export const generatedFile = 'generated.env';

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
const letter = () => letters[randomInt(letters.length)];
const makers = {
  SECRET_KEY: () => randomBytes(32).toString('base64'),
  GATEWAY_CARD_SECRETS: () => `whsec_${randomBytes(24).toString('hex')}`,
  ADMIN_PASSWORD: () => Array.from({ length: 20 }, letter).join(''),
  ADMIN_APPLICATION_PASSWORD: () => Array.from({ length: 24 }, letter).join(''),
} as const;

export type Generated = {
  /** Every secret that this installation made for itself, by variable. */
  readonly kept: Env;
  /** Variables whose secret was made just now. */
  readonly made: readonly string[];
};

/**
 * Makes the secrets that the environment does not set (decisions.md section 10), once, and keeps them in the data folder, which must exist.
 * A value of the environment is neither made nor kept.
 */
export function generateSecrets(dataDir: string, env: Env): Generated {
  const file = join(dataDir, generatedFile);
  const kept = readKept(file);
  const missing = Object.entries(makers).filter(([name]) => !env[name]?.trim() && !kept[name]);
  if (missing.length === 0) return { kept, made: [] };
  const all = { ...kept, ...Object.fromEntries(missing.map(([name, make]) => [name, make()])) };
  write(file, all);
  return { kept: all, made: missing.map(([name]) => name) };
}

function readKept(file: string): Record<string, string> {
  try {
    const kept = parseEnv(readFileSync(file, 'utf8')) as Record<string, string>;
    chmodSync(file, 0o600);
    return kept;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

/** Replaces the file as a whole, so that a crash leaves the old one or the new one. */
function write(file: string, values: Readonly<Record<string, string>>): void {
  const lines = Object.entries(values).map(([name, value]) => `${name}='${value}'`);
  const text = `# Made by the first start; a variable of the environment wins over the one here.\n# ADMIN_PASSWORD is read at the first start only: change it with PUT /v1/auth/password.\n${lines.join('\n')}\n`;
  const temporary = `${file}.new`;
  const handle = openSync(temporary, 'w', 0o600);
  writeSync(handle, text);
  fsyncSync(handle);
  closeSync(handle);
  renameSync(temporary, file);
}
