import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { extensionsConfiguration } from './common-config';
import { ConfigError } from './config';

/** What a module named in EXTENSIONS may export (specification 6.4, decisions.md section 4): functions that get what they register into. */
const hooks = ['register_gateway_adapters', 'register_components'] as const;
type Hook = (typeof hooks)[number];

type Exports = { readonly [Name in Hook]?: unknown };

/**
 * Loads these modules (`EXTENSIONS`: paths, relative ones from the working directory, or names of packages) and calls the hook of each with what
 * `targetOf` makes for it; a module without this hook is left to the services that call its other one. Throws ConfigError, with the name of
 * the module, when one cannot be loaded, has no hook at all, or registers something wrong.
 */
export async function loadExtensions<Target>(
  modules: readonly string[],
  hook: Hook,
  targetOf: (module: string) => Target,
): Promise<void> {
  for (const name of modules) {
    try {
      const exported = await exportsOf(name);
      const found = hooks.filter((one) => exported[one] !== undefined);
      if (found.length === 0) throw new Error(`exports neither ${hooks.join(' nor ')}`);
      if (!found.includes(hook)) continue;
      const register = exported[hook];
      if (typeof register !== 'function') throw new Error(`${hook} is not a function`);
      await register(targetOf(name));
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      const { env: variable, example } = extensionsConfiguration.extensions;
      throw new ConfigError([{ variable, problem: `${name}: ${text}`, example }], { cause: error });
    }
  }
}

async function exportsOf(name: string): Promise<Exports> {
  const path = /^[./]/.test(name) ? resolve(name) : undefined;
  if (path !== undefined && !existsSync(path)) throw new Error(`there is no file ${path}`);
  const loaded = (await import(path === undefined ? name : pathToFileURL(path).href)) as Exports & {
    readonly default?: Exports;
  };
  return { ...loaded.default, ...loaded };
}
