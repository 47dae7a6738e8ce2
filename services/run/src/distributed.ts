import './node-version';
import { join } from 'node:path';
import {
  commonConfiguration,
  createLogger,
  distributedConfiguration,
  exitRefusedConfiguration,
  exitWhenRefused,
  helpText,
  inheritedSocket,
  loadEnv,
  readConfig,
  superviseProcess,
  wantsHelp,
} from '@order-automation/service';
import texts from './command-texts.json';
import { allVariables, distributedDefinitions, environmentOf, supervisorConfiguration, workerServices } from './config';
import { startSupervisor } from './supervisor/supervisor';
import type { Program } from './supervisor/supervisor-child';

/** The one with the public port. */
const edge = 'api-gateway';

/** Milliseconds all services have for stopping; after it they are ended, and a little later we are. */
const stopTimeout = 10_000;

/**
 * The distributed mode on one machine (decisions.md section 10): the edge, intake and workers, or a process a service. One JSON line a started
 * process on standard output, the logs of all on standard error.
 */
function main(): void {
  if (wantsHelp()) {
    const command = 'npm run start:distributed --';
    process.stdout.write(helpText({ command, what: texts.distributed, definitions: distributedDefinitions }));
    return;
  }
  const env = loadEnv();
  const own = { ...supervisorConfiguration, ...distributedConfiguration, logLevel: commonConfiguration.logLevel };
  const config = readConfig(own, env, allVariables);
  const log = createLogger({ name: 'distributed', level: config.logLevel, destination: process.stderr });
  const socket = inheritedSocket();
  const supervisor = startSupervisor({
    programs: [
      ...workerPrograms(config.workers),
      programOf('gateway-intake'),
      { ...programOf(edge), ...(socket !== undefined && { socket }) },
    ],
    env: ({ name, service = name }) => ({ ...environmentOf(service, env), OPS_PORT: '0' }),
    log,
    onReport: (report) => process.stdout.write(`${JSON.stringify(report)}\n`),
    stopTimeout,
  });
  void supervisor.refused.then(() => process.exit(exitRefusedConfiguration));
  superviseProcess({ log, close: supervisor.stop, timeout: stopTimeout + 2_000 });
}

const programOf = (name: string): Program => ({ name, entry: join(__dirname, '..', '..', name, 'dist', 'main.js') });

/** In the order of starting; the HTTP edge is the last to open and the first to close. */
function workerPrograms(count: number): Program[] {
  if (count === 0) return workerServices.map(programOf);
  const worker = { service: 'worker', entry: join(__dirname, 'worker.js') };
  return Array.from({ length: count }, (_, index) => ({ ...worker, name: `worker-${index + 1}` }));
}

try {
  main();
} catch (error) {
  exitWhenRefused(error);
  throw error;
}
