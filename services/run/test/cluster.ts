import { type Product, startEmbedded, startService } from './product';

/** Several instances of each service, or the one process that has them all, which are replaced one after the other as an orchestrator does. */
export type Cluster = {
  /** Ports of the edges that take webhooks: one that is about to stop is no longer among them. */
  edges(): readonly number[];
  /** Instances of a service, or of all. */
  instances(name?: string): readonly Instance[];
  /** Ends the instance, with `SIGTERM` or as a crash does, and starts it again. `env` is what changes, for it and those that follow. Resolves when it is up. */
  replace(instance: Instance, how: 'stop' | 'kill', env?: Readonly<Record<string, string>>): Promise<void>;
  stop(): Promise<void>;
};

export type Instance = { readonly name: string; product: Product; isServing: boolean };

type Options = { readonly env: Readonly<Record<string, string>>; readonly log: number | 'ignore' };

/** Milliseconds from leaving the load balancer until an edge is asked to stop (`preStop` of the Helm chart), for what is on its way to it. */
const preStop = 500;

const start = (name: string, options: Options): Promise<Product> =>
  name === 'embedded' ? startEmbedded(options) : startService(name, options);

/** Starts the named services, or the one process `embedded`, a name as often as it shall run. Resolves when all are up. */
export async function startCluster(names: readonly string[], options: Options): Promise<Cluster> {
  let current = options.env;
  const instances = await Promise.all(
    names.map(async (name) => ({ name, product: await start(name, options), isServing: true })),
  );
  return {
    edges: () =>
      instances.filter(({ product, isServing }) => product.port > 0 && isServing).map(({ product }) => product.port),
    instances: (name) => instances.filter((one) => name === undefined || one.name === name),
    replace: async (instance, how, env = {}) => {
      instance.isServing = false;
      if (how === 'kill') await instance.product.kill();
      else {
        if (instance.product.port > 0) await new Promise((resolve) => setTimeout(resolve, preStop));
        await instance.product.stop();
      }
      current = { ...current, ...env };
      instance.product = await start(instance.name, { ...options, env: current });
      instance.isServing = true;
    },
    stop: async () => {
      for (const { product } of [...instances].reverse()) await product.stop();
    },
  };
}
