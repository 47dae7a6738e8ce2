import { readFileSync } from 'node:fs';
import { nearest } from '@order-automation/contracts';
import { type ConfigDefinition, ConfigError, type ConfigOf, type ConfigProblem, type Env, parseConfig } from './config';

/** Every variable of these definitions, with its example. */
export function examplesOf(definitions: readonly ConfigDefinition[]): ReadonlyMap<string, string> {
  const fields = definitions.flatMap((definition) => Object.values(definition));
  return new Map(fields.map(({ env, example }) => [env, example]));
}

/**
 * The environment with the value of each variable `X` that is given as `X_FILE` read from that file, as compose and Kubernetes hand over
 * secrets. Throws ConfigError when a file cannot be read or a variable is given both ways.
 */
export function readFileVariables(env: Env, known: ReadonlyMap<string, string>): Env {
  const problems: ConfigProblem[] = [];
  const read: Record<string, string> = {};
  for (const name of known.keys()) {
    const file = env[`${name}_FILE`]?.trim();
    if (!file || known.has(`${name}_FILE`)) continue;
    const example = `/run/secrets/${name.toLowerCase()}`;
    const fail = (problem: string) => problems.push({ variable: `${name}_FILE`, problem, example });
    if (env[name]?.trim()) fail(`is set, and so is ${name}; set one of the two`);
    else {
      try {
        read[name] = readFileSync(file, 'utf8');
      } catch (error) {
        fail(`names a file that cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`);
      }
    }
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return { ...env, ...read };
}

/** What a process reads, files included; misspelt variables are refused. `all` are those of the whole product, where they are known. Throws ConfigError. */
export function readConfig<D extends ConfigDefinition>(
  definition: D,
  env: Env,
  all?: ReadonlyMap<string, string>,
): ConfigOf<D> {
  const own = examplesOf([definition]);
  const misspelt = misspeltVariables(env, all ?? own, all !== undefined);
  if (misspelt.length > 0) throw new ConfigError(misspelt);
  return parseConfig(definition, readFileVariables(env, own));
}

/** First words of names that nothing else on a machine begins its variables with. */
const ownFamilies = /^(ADMIN|EFFECT|GATEWAY|GENERIC|INTAKE|LICENCE|OPS|OUTBOUND|WOOCOMMERCE)_/;

/** What Kubernetes sets for each service of a namespace. */
const serviceLink = /_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_\d+_(TCP|UDP)(_(PROTO|PORT|ADDR))?)?)$/;

const shortestName = 6;
const maxEdits = 2;

/**
 * Variables that look like one of ours and are none: at most two letters away from it, or, where `families` is set because every name of ours is
 * known, beginning with a word of ours. Names that machines always set (`HOSTNAME`) are far enough from ours.
 */
export function misspeltVariables(
  env: Env,
  known: ReadonlyMap<string, string>,
  families: boolean,
): readonly ConfigProblem[] {
  const names = [...known.keys()].flatMap((name) => [name, `${name}_FILE`]);
  return Object.keys(env)
    .filter((name) => name.length >= shortestName && !names.includes(name) && !serviceLink.test(name))
    .flatMap((variable) => {
      const isOurs = families && ownFamilies.test(variable);
      const likely = nearest(variable, names, isOurs ? variable.length : variable.length <= 8 ? 1 : maxEdits);
      if (likely === undefined) return [];
      const example = known.get(likely) ?? '/run/secrets/name';
      return [{ variable, likely, problem: 'is not a variable of this product', example }];
    });
}
