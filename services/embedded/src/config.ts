import { apiGatewayConfiguration } from '@order-automation/api-gateway';
import { auditConfiguration } from '@order-automation/audit/config';
import { evaluationConfiguration } from '@order-automation/evaluation/config';
import { intakeConfiguration } from '@order-automation/gateway-intake';
import { proDebugConfiguration } from '@order-automation/pro-debug/config';
import { rulesConfiguration } from '@order-automation/rules/config';
import { commonConfiguration, defineConfig, type Env, parseConfig } from '@order-automation/service';
import { shopConfiguration } from '@order-automation/shop/config';
import { z } from 'zod';
import { generatedEnv } from './generated';

export const embeddedConfiguration = defineConfig({
  ...commonConfiguration,
  dataDir: {
    env: 'DATA_DIR',
    schema: z.string().min(1).default('./data'),
    description:
      'Embedded: folder of the database files and of `generated.env`, the secrets that the first start makes (mode 0600)',
    example: '/var/lib/order-automation',
  },
});

/** What embedded takes where the environment says nothing (decisions.md section 10). */
const embeddedDefaults: Env = { LICENCE_KEY: 'demo', DEMO_SHOP: 'true' };

/**
 * The configuration of every service in this process. What is missing comes from the secrets this installation made for itself.
 * Throws ConfigError, before anything is made.
 */
export function embeddedConfig(given: Env) {
  const common = parseConfig(embeddedConfiguration, given);
  const env = { ...embeddedDefaults, ...generatedEnv(common.dataDir, given), ...set(given) };
  return {
    common,
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

/** An empty variable is one that is not set. */
function set(env: Env): Env {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
}
