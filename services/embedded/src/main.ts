import { join, relative } from 'node:path';
import {
  ConfigError,
  exitRefusedConfiguration,
  loadEnv,
  reportListening,
  superviseProcess,
} from '@order-automation/service';
import { embeddedConfig } from './config';
import { startEmbedded } from './embedded';
import { generatedFile } from './generated';

async function main(): Promise<void> {
  const env = loadEnv();
  const { port, ops, log, close } = await startEmbedded(env);
  superviseProcess({ log, close });
  const { common, apiGateway } = embeddedConfig(env);
  reportListening({ service: 'embedded', ops, port });
  process.stdout.write(
    [
      `Order automation is ready on http://${apiGateway.host}:${port}`,
      `  metrics and health  http://${common.opsHost}:${ops}/metrics, /healthz, /readyz`,
      `  generated secrets   ${relative('.', join(common.dataDir, generatedFile))} (card webhook secret, application password of the administrator)`,
      '',
    ].join('\n'),
  );
}

main().catch((error: unknown) => {
  if (error instanceof ConfigError) {
    process.stderr.write(`${error.message}\n`);
    process.exit(exitRefusedConfiguration);
  }
  process.stderr.write(`The service could not be started: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
