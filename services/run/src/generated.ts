import { randomBytes, randomInt } from 'node:crypto';
import { appendFileSync, chmodSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { ConfigError, type Env } from '@order-automation/service';
import { replaceFile } from './files';

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
  /** Whether the password of the administrator was shown on a terminal. */
  readonly passwordShown: boolean;
};

/**
 * Makes the secrets that the environment does not set (decisions.md section 10), once, and keeps them in the data folder, which must exist.
 * A value of the environment is neither made nor kept. Throws ConfigError beside data that were written with secrets which are gone.
 */
export function generateSecrets(dataDir: string, env: Env): Generated {
  const file = join(dataDir, generatedFile);
  const { values: kept, passwordShown } = readKept(file);
  const missing = Object.entries(makers).filter(([name]) => !env[name]?.trim() && !kept[name]);
  if (missing.length === 0) return { kept, passwordShown };
  if (Object.keys(kept).length === 0 && hasData(dataDir))
    throw secretsGone(
      dataDir,
      missing.map(([name]) => name),
    );
  const all = { ...kept, ...Object.fromEntries(missing.map(([name, make]) => [name, make()])) };
  write(file, all);
  return { kept: all, passwordShown };
}

const shownMark = '# The password of the administrator was shown on a terminal.';

/** Notes that somebody has read the password of the administrator. */
export function markPasswordShown(dataDir: string): void {
  appendFileSync(join(dataDir, generatedFile), `${shownMark}\n`);
}

/** The secrets that this installation made for itself, by variable; none where it has made none. */
export const keptSecrets = (dataDir: string): Env => readKept(join(dataDir, generatedFile)).values;

export const hasData = (dataDir: string): boolean => readdirSync(dataDir).some((name) => name.endsWith('.sqlite'));

/** The administrator is there already: only a first start needs that password. */
function secretsGone(dataDir: string, missing: readonly string[]): ConfigError {
  const file = join(dataDir, generatedFile);
  const problem = `is not set, and ${file}, which kept it, is gone, although there are data in the folder: put the file back from a backup, or set the variable to the former value`;
  const names = missing.filter((name) => name !== 'ADMIN_PASSWORD');
  return new ConfigError(names.map((variable) => ({ variable, problem, example: 'the-former-value' })));
}

function readKept(file: string): { readonly values: Record<string, string>; readonly passwordShown: boolean } {
  try {
    const text = readFileSync(file, 'utf8');
    chmodSync(file, 0o600);
    return { values: parseEnv(text) as Record<string, string>, passwordShown: text.includes(shownMark) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { values: {}, passwordShown: false };
    throw error;
  }
}

function write(file: string, values: Readonly<Record<string, string>>): void {
  const lines = Object.entries(values).map(([name, value]) => `${name}='${value}'`);
  replaceFile(
    file,
    `# Made by the first start; a variable of the environment wins over the one here.\n# ADMIN_PASSWORD is read at the first start only: change it with PUT /v1/auth/password.\n${lines.join('\n')}\n`,
  );
}
