import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { startApiGateway } from '@order-automation/api-gateway';
import { nearBus, threadBus } from '@order-automation/bus/threads';
import { startIntake } from '@order-automation/gateway-intake';
import {
  closeInReverse,
  createLogger,
  createMetrics,
  createReadiness,
  type Env,
  metricsOf,
  startOps,
  startThread,
  systemClock,
  type Thread,
} from '@order-automation/service';
import type { Logger } from 'pino';
import { collectDefaultMetrics } from 'prom-client';
import type { BackSettings } from './back-thread';
import { embeddedConfig } from './config';
import { type House, openFiles, processName, start } from './house';

export type Embedded = {
  /** The public port. */
  readonly port: number;
  readonly ops: number;
  readonly log: Logger;
  close(): Promise<void>;
};

/**
 * Every service in this process, on an SQLite file each: here those that answer senders and administrators, behind them, in a thread of its own,
 * everything that follows (docs/decisions/0005). Resolves when the public port is open, which is when a webhook can be stored. Throws
 * ConfigError when a variable is wrong; closes what it had opened when anything else fails.
 */
export async function startEmbedded(env: Env): Promise<Embedded> {
  const config = embeddedConfig(env);
  const { dataDir, opsHost, opsPort, logLevel } = config.common;
  const settings: BackSettings = { env: config.env, dataDir, logLevel };
  // Whoever first asks for one of Node's threads for files makes them all, of its own priority: it shall be this thread.
  await access(dataDir);
  const back = startThread('back', join(__dirname, 'back-thread.js'), settings);
  const log = createLogger({ name: processName, level: logLevel });
  const closing = closeInReverse();
  closing.add('back thread', back.close);
  const readiness = createReadiness();
  readiness.probe('back', back.missing);
  const ofProcess = createMetrics(processName);
  collectDefaultMetrics({ register: ofProcess });
  const metrics = [metricsOf(ofProcess)];
  try {
    const ops = await startOps({
      host: opsHost,
      port: opsPort,
      metrics: () => [...metrics, back.metrics],
      readiness,
      log,
    });
    closing.add('ops', ops.close);
    const bus = nearBus(threadBus(back.bus), log);
    closing.add('bus', () => bus.close());
    const house: House = { bus, dataDir, log, clock: systemClock, closing, readiness, metrics };
    const port = await startFront(house, config, back);
    return { port, ops: ops.port, log, close: closing.close };
  } catch (error) {
    await closing.close().catch(() => undefined);
    throw error;
  }
}

/** The HTTP edge is the last to open and the first to close. Resolves with the public port. */
async function startFront(house: House, config: ReturnType<typeof embeddedConfig>, back: Thread): Promise<number> {
  // A flush is waited for by those whose webhooks are in it, and by nobody else.
  const files = openFiles(house, 'front');
  await back.start();
  await start(house, files, 'gateway-intake', startIntake, config.intake);
  const edge = await start(house, files, 'api-gateway', startApiGateway, config.apiGateway);
  return edge.port;
}
