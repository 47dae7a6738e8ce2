import { apiGatewayConfiguration } from '@order-automation/api-gateway';
import { auditConfiguration } from '@order-automation/audit/config';
import { evaluationConfiguration } from '@order-automation/evaluation/config';
import { intakeConfiguration } from '@order-automation/gateway-intake';
import { proDebugConfiguration } from '@order-automation/pro-debug/config';
import { rulesConfiguration } from '@order-automation/rules/config';
import {
  type ConfigDefinition,
  ConfigError,
  commonConfiguration,
  defineConfig,
  describedConfig,
  distributedConfiguration,
  type Env,
  examplesOf,
  misspeltVariables,
  parseConfig,
  readFileVariables,
} from '@order-automation/service';
import { shopConfiguration } from '@order-automation/shop/config';
import { z } from 'zod';
import texts from './variables.json';

export const embeddedConfiguration = defineConfig({
  ...commonConfiguration,
  ...describedConfig(texts, { dataDir: z.string().min(1).default('./data') }),
});

/** What embedded takes where the environment says nothing (decisions.md section 10). */
const embeddedDefaults: Env = { LICENCE_KEY: 'demo', DEMO_SHOP: 'true', GATEWAY_CARD_MODE: 'any' };

/** What each service reads besides what every process of the distributed mode reads. */
export const serviceDefinitions: Readonly<Record<string, ConfigDefinition>> = {
  'api-gateway': apiGatewayConfiguration,
  audit: auditConfiguration,
  evaluation: evaluationConfiguration,
  'gateway-intake': intakeConfiguration,
  'pro-debug': proDebugConfiguration,
  rules: rulesConfiguration,
  shop: shopConfiguration,
};

/** The services that a worker has together: a webhook passes them once it was answered. */
export const workerServices = ['shop', 'audit', 'rules', 'evaluation', 'pro-debug'] as const;

export const supervisorConfiguration = describedConfig(texts, {
  workers: z
    .string()
    .regex(/^\d{1,2}$/, 'must be a number from 0 to 99')
    .default('1')
    .transform(Number),
});

export const embeddedDefinitions: readonly ConfigDefinition[] = [
  embeddedConfiguration,
  ...Object.values(serviceDefinitions),
];

/** What the processes of the distributed mode read. */
export const distributedDefinitions: readonly ConfigDefinition[] = [
  supervisorConfiguration,
  distributedConfiguration,
  commonConfiguration,
  ...Object.values(serviceDefinitions),
];

export const allVariables = examplesOf([embeddedConfiguration, ...distributedDefinitions]);

/** The environment of a service, or of a `worker`, without the variables that only others read: a process holds no secrets of others. */
export function environmentOf(name: string, env: Env): Env {
  const services = name === 'worker' ? workerServices : [name];
  const definitions = services.map((service) => serviceDefinitions[service] ?? {});
  const own = examplesOf([commonConfiguration, distributedConfiguration, ...definitions]);
  const ofOthers = (name: string) => {
    const variable = allVariables.has(name) ? name : name.replace(/_FILE$/, '');
    return allVariables.has(variable) && !own.has(variable);
  };
  return Object.fromEntries(Object.entries(env).filter(([name]) => !ofOthers(name)));
}

/**
 * What the embedded process itself reads, and the environment with file variables resolved. Throws ConfigError when a value is wrong, a variable
 * is misspelt, or the distributed mode was meant.
 */
export function processConfig(environment: Env) {
  const env = readFileVariables(environment, allVariables);
  refuseOtherMode(env);
  return { env, ...parseConfig(embeddedConfiguration, env) };
}

/** The configuration of every service in this process; `generated` are the secrets that this installation made for itself. Throws ConfigError. */
export function serviceConfigs(given: Env, generated: Env) {
  const env = { ...embeddedDefaults, ...generated, ...set(given) };
  return {
    /** What all of this was read from. */
    env,
    apiGateway: parseConfig(apiGatewayConfiguration, env),
    audit: parseConfig(auditConfiguration, env),
    evaluation: parseConfig(evaluationConfiguration, env),
    intake: parseConfig(intakeConfiguration, env),
    proDebug: parseConfig(proDebugConfiguration, env),
    rules: parseConfig(rulesConfiguration, env),
    shop: parseConfig(shopConfiguration, env),
  };
}

const distributedOnly = { NATS_URL: 'nats://127.0.0.1:4222', MONGODB_URI: 'mongodb://127.0.0.1:27017/?replicaSet=rs0' };

/** Misspelt variables, and those by which an operator shows that the distributed mode was meant, stop the start. */
function refuseOtherMode(env: Env): void {
  const meant = Object.entries(distributedOnly)
    .filter(([variable]) => env[variable]?.trim())
    .map(([variable, example]) => ({
      variable,
      problem:
        'belongs to the distributed mode. Start that with `npm run start:distributed`; `npm start` keeps everything in one process and wants it unset',
      example,
    }));
  const problems = [...meant, ...misspeltVariables(env, allVariables, true)];
  if (problems.length > 0) throw new ConfigError(problems);
}

/** An empty variable is one that is not set. */
const set = (env: Env): Env => Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
