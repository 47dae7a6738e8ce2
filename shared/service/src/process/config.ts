import { z } from 'zod';
import { type Secret, secret } from './secret';

/** What the documentation says of a variable. */
type VariableTexts = {
  readonly description: string;
  readonly example: string;
  /** What the documentation shows as default, when the schema's own says too little. */
  readonly defaultText?: string;
};
/** One variable of the environment. `schema` takes the text, or undefined when the variable is absent or empty. */
type Variable<T = unknown> = {
  readonly env: string;
  readonly schema: z.ZodType<T>;
  /** The value is wrapped, and never printed. */
  readonly secret?: boolean;
  /** The variable that is of no use without this one. */
  readonly neededBy?: string;
};
export type ConfigField = Variable & VariableTexts;

export type ConfigDefinition = { readonly [name: string]: ConfigField };

type FieldValue<F> =
  F extends Variable<infer T>
    ? F extends { readonly secret: true }
      ? Secret<NonNullable<T>> | Extract<T, undefined>
      : T
    : never;

/** The parsed configuration of a definition. */
export type ConfigOf<D extends ConfigDefinition> = { readonly [K in keyof D]: FieldValue<D[K]> };

export type Env = Readonly<Record<string, string | undefined>>;

/** Declares the configuration of a service; spread several to join them. */
export const defineConfig = <const D extends ConfigDefinition>(definition: D): D => definition;

/** A field whose value is a secret. */
export const hidden = <S extends z.ZodType>(schema: S) => ({ schema, secret: true }) as const;

type Named = VariableTexts & { readonly env: string };
type Described<F> = Named & (F extends z.ZodType ? { readonly schema: F } : F);

/** As `defineConfig`, of schemas alone where nothing else is to be said in code: `texts` have the variable of each field, and what is said of it. */
export function describedConfig<const D extends Readonly<Record<string, z.ZodType | Omit<Variable, 'env'>>>>(
  texts: { readonly [K in keyof D]: Omit<Named, 'description'> & { readonly description?: string } },
  definition: D,
) {
  const described = Object.entries(definition).map(([name, field]) => {
    const more = field instanceof z.ZodType ? { schema: field } : field;
    return [name, { ...texts[name], ...more }];
  });
  return Object.fromEntries(described) as { readonly [K in keyof D]: Described<D[K]> };
}

export type ConfigProblem = {
  readonly variable: string;
  readonly problem: string;
  readonly example: string;
  /** The variable that was probably meant. */
  readonly likely?: string;
};

/** One or more variables hold what cannot be used. The message names each with its problem and an example. */
export class ConfigError extends Error {
  constructor(
    readonly problems: readonly ConfigProblem[],
    options?: ErrorOptions,
  ) {
    const lines = problems.map(({ variable, problem, example, likely }) =>
      likely === undefined
        ? `  ${variable}: ${problem}. Example: ${variable}=${example}`
        : `  ${variable}: ${problem}. Did you mean ${likely}? Example: ${likely}=${example}`,
    );
    super(`The configuration is not valid:\n${lines.join('\n')}`, options);
    this.name = 'ConfigError';
  }
}

/** Reads a definition from an environment (decisions.md section 10). Throws ConfigError with every problem at once. */
export function parseConfig<D extends ConfigDefinition>(definition: D, env: Env): ConfigOf<D> {
  const problems: ConfigProblem[] = [];
  const values: [string, unknown][] = [];
  for (const [name, field] of Object.entries(definition)) {
    const text = env[field.env]?.trim() || undefined;
    const parsed = field.schema.safeParse(text);
    if (!parsed.success)
      problems.push({ variable: field.env, problem: problemOf(field, text, parsed.error), example: field.example });
    else if (parsed.data === undefined && field.neededBy !== undefined && env[field.neededBy]?.trim())
      problems.push({
        variable: field.env,
        problem: `is not set, and ${field.neededBy} needs it`,
        example: field.example,
      });
    else values.push([name, field.secret && parsed.data !== undefined ? secret(parsed.data) : parsed.data]);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.fromEntries(values) as ConfigOf<D>;
}

function problemOf(field: ConfigField, text: string | undefined, error: z.ZodError): string {
  if (text === undefined) return 'is not set and has no default';
  const reasons = [...new Set(error.issues.map((issue) => issue.message))].join('; ');
  if (!field.secret) return `${reasons} (the value is ${JSON.stringify(text.slice(0, 200))})`;
  return withoutParts(reasons, text);
}

/** A refinement may quote what it refused: no piece of a secret gets out that way. */
function withoutParts(message: string, value: string): string {
  return [value, ...value.split(/\s+/)]
    .filter((part) => part.length >= 3)
    .reduce((text, part) => text.replaceAll(part, '…'), message);
}
