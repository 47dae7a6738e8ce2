import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** The files of deploy/ and docker-compose.yml, as the containers see them. */

const root = join(__dirname, '../../..');

export const deployFile = (name: string): string => readFileSync(join(root, 'deploy', name), 'utf8');

/** What `deploy/new-env` writes, with these values for the secrets that it makes. */
export function settingsWith(value: (name: string) => string): Record<string, string> {
  const lines = deployFile('env.example').matchAll(/^([A-Z_]+)=(.*)$/gm);
  const made = /PASSWORD|CARD_SECRETS$|^SECRET_KEY$|REPLICA_KEY$/;
  return Object.fromEntries(
    [...lines].map(([, name = '', preset = '']) => [name, made.test(name) ? preset || value(name) : preset]),
  );
}

type Compose = {
  readonly services: Record<
    string,
    {
      environment: Record<string, string>;
      command?: string[];
      ports?: string[];
      networks?: string[];
      profiles?: string[];
    }
  >;
};

/** docker-compose.yml with its variables replaced. Throws for one that is required and missing. */
export function composeWith(settings: Readonly<Record<string, string>>): Compose {
  const replaced = (text: string): string =>
    text.replaceAll(
      /\$\{([A-Z_]+)(:-|:\?)?([^}]*)\}/g,
      (_whole, name: string, kind: string | undefined, rest: string) => {
        const value = settings[name] ?? '';
        if (value === '' && kind === ':?') throw new Error(`${name} is required: ${rest}`);
        return value === '' && kind === ':-' ? rest : value;
      },
    );
  const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
  const reviver = (_key: unknown, value: unknown) => (typeof value === 'string' ? replaced(value) : value);
  return parse(text, reviver, { merge: true }) as Compose;
}
