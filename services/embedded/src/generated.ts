import { randomBytes, randomInt } from 'node:crypto';
import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Env } from '@order-automation/service';

/** The file in the data directory that keeps what this installation made for itself. */
export const generatedFile = 'generated.env';

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
const makers = {
  SECRET_KEY: () => randomBytes(32).toString('base64'),
  GATEWAY_CARD_SECRETS: () => `whsec_${randomBytes(24).toString('hex')}`,
  ADMIN_APPLICATION_PASSWORD: () => Array.from({ length: 24 }, () => letters[randomInt(letters.length)]).join(''),
} as const;

/**
 * The secrets of an installation that was given none (decisions.md section 10), made once and kept in the data directory, mode 0600.
 * A value given by the environment is neither made nor kept.
 */
export function generatedEnv(dataDir: string, env: Env): Env {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, generatedFile);
  const kept = readKept(file);
  const missing = Object.entries(makers).filter(([name]) => !env[name]?.trim() && !kept[name]);
  if (missing.length === 0) return kept;
  const all = { ...kept, ...Object.fromEntries(missing.map(([name, make]) => [name, make()])) };
  write(file, all);
  return all;
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

/** All or nothing, also when the machine stops half way. */
function write(file: string, values: Readonly<Record<string, string>>): void {
  const lines = Object.entries(values).map(([name, value]) => `${name}='${value}'`);
  const text = `# Made by the first start. Variables of the environment come before these.\n${lines.join('\n')}\n`;
  const temporary = `${file}.new`;
  const handle = openSync(temporary, 'w', 0o600);
  writeSync(handle, text);
  fsyncSync(handle);
  closeSync(handle);
  renameSync(temporary, file);
}
