import {
  exitWhenRefused,
  helpText,
  loadEnv,
  reportListening,
  superviseProcess,
  wantsHelp,
} from '@order-automation/service';
import { banner } from './banner';
import texts from './command-texts.json';
import { embeddedDefinitions } from './config';
import { startEmbedded } from './embedded';
import { markPasswordShown } from './generated';
import type { SpawnedThread } from './threads/thread-spawn';

/** Runs the embedded process, with the spawned thread for what follows an answer. */
export async function main(processing: SpawnedThread): Promise<void> {
  if (wantsHelp()) {
    process.stdout.write(helpText({ command: 'npm start --', what: texts.embedded, definitions: embeddedDefinitions }));
    return;
  }
  // Database files, their journals and what the first start generates are for this user alone.
  process.umask(0o077);
  const { port, ops, log, summary, drain, close } = await startEmbedded(loadEnv(), processing);
  superviseProcess({ log, close, drain });
  reportListening({ service: 'embedded', ops, port });
  if (process.stderr.isTTY) {
    process.stderr.write(banner(summary));
    if (summary.newAdministrator) markPasswordShown(summary.dataDir);
  }
  const { url, basePath, opsUrl, secretsFile } = summary;
  log.info({ url: url + basePath, ops_url: opsUrl, generated: secretsFile }, 'order automation is ready');
}

/** Ends the process with what kept it from starting. */
export function refuse(error: unknown): never {
  exitWhenRefused(error);
  process.stderr.write(`The service could not be started: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
