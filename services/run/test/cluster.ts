import { type Product, startService } from './product';

/** Several instances of each service, which are replaced one after the other as an orchestrator does. */
export type Cluster = {
  /** Ports of the edges that take webhooks: one that is about to stop is no longer among them. */
  edges(): readonly number[];
  /** Instances of a service, or of all. */
  instances(name?: string): readonly Instance[];
  /** Ends the instance, with `SIGTERM` or as a crash does, and starts it again. Resolves when it is up. */
  replace(instance: Instance, how: 'stop' | 'kill', env?: Readonly<Record<string, string>>): Promise<void>;
  stop(): Promise<void>;
};

export type Instance = { readonly name: string; product: Product; isServing: boolean };

type Options = { readonly env: Readonly<Record<string, string>>; readonly log: number | 'ignore' };

/** Milliseconds from leaving the load balancer until an edge is asked to stop (`preStop` of the Helm chart), for what is on its way to it. */
const preStop = 500;

/** Starts the named services, a name as often as it shall run. Resolves when all are up. */
export async function startCluster(names: readonly string[], options: Options): Promise<Cluster> {
  const instances = await Promise.all(
    names.map(async (name) => ({ name, product: await startService(name, options), isServing: true })),
  );
  return {
    edges: () =>
      instances.filter(({ name, isServing }) => name === 'api-gateway' && isServing).map(({ product }) => product.port),
    instances: (name) => instances.filter((one) => name === undefined || one.name === name),
    replace: async (instance, how, env = {}) => {
      instance.isServing = false;
      if (how === 'kill') await instance.product.kill();
      else {
        if (instance.product.port > 0) await new Promise((resolve) => setTimeout(resolve, preStop));
        await instance.product.stop();
      }
      instance.product = await startService(instance.name, { ...options, env: { ...options.env, ...env } });
      instance.isServing = true;
    },
    stop: async () => {
      for (const { product } of [...instances].reverse()) await product.stop();
    },
  };
}
