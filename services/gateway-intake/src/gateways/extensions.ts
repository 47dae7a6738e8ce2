import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AdapterRouter } from './router';

/** What a module of the operator exports to add gateways (specification 6.4). */
export type Extension = {
  readonly register_gateway_adapters?: (router: Pick<AdapterRouter, 'registerAdapter'>) => void | Promise<void>;
};

/**
 * Loads these modules (`EXTENSIONS`: paths, relative ones from the working directory, or names of packages) and lets each register its adapters.
 * Throws with the module's name when one cannot be loaded or registered; a module without adapters of its own is left alone.
 */
export async function loadExtensions(modules: readonly string[], router: AdapterRouter): Promise<void> {
  for (const name of modules) {
    try {
      const specifier = /^[./]/.test(name) ? pathToFileURL(resolve(name)).href : name;
      const loaded = (await import(specifier)) as Extension & { readonly default?: Extension };
      await (loaded.register_gateway_adapters ?? loaded.default?.register_gateway_adapters)?.(router);
    } catch (error) {
      throw new Error(`EXTENSIONS: ${name}: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
  }
}
