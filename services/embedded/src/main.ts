import {
  configErrorName,
  exitRefusedConfiguration,
  loadEnv,
  reportListening,
  superviseProcess,
} from '@order-automation/service';
import { banner } from './banner';
import { startEmbedded } from './embedded';

async function main(): Promise<void> {
  // Database files, their journals and what the first start generates are for this user alone.
  process.umask(0o077);
  const { port, ops, log, summary, close } = await startEmbedded(loadEnv());
  superviseProcess({ log, close });
  reportListening({ service: 'embedded', ops, port });
  if (process.stderr.isTTY) process.stderr.write(banner(summary));
  const { url, opsUrl, secretsFile } = summary;
  log.info({ url, ops_url: opsUrl, generated: secretsFile }, 'order automation is ready');
}

main().catch((error: unknown) => {
  // From another thread it comes as a copy, with its name.
  if (error instanceof Error && error.name === configErrorName) {
    process.stderr.write(`${error.message}\n`);
    process.exit(exitRefusedConfiguration);
  }
  process.stderr.write(`The service could not be started: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
