import { StorageType, type StreamInfo } from 'nats';

export type Profile = 'development' | 'production';

/** What is known of the server and of what runs on it. */
export type Facts = {
  /** Bytes a message may have. */
  readonly maxPayload: number;
  /** Copies asked for. */
  readonly replicas: number;
  readonly streams: readonly StreamInfo['config'][];
  /** Whether each write is flushed before it is acknowledged; undefined when the server does not say. */
  readonly syncAlways: boolean | undefined;
};

/** A webhook of 1 MiB (decisions.md section 6) as base64, its headers, and what else may travel with it. */
export const neededPayload = 2 * 1024 * 1024;
const neededReplicas = 3;

/** Each setting under which acknowledged messages may be lost or large ones do not pass, with what to do about it. Empty: all is well. */
export function unsafeSettings(facts: Facts): string[] {
  const problems: string[] = [];
  if (facts.maxPayload < neededPayload) {
    problems.push(
      `max_payload is ${facts.maxPayload}: a webhook of 1 MiB does not fit into one message; set it to 8MB in the server's configuration`,
    );
  }
  if (facts.replicas < neededReplicas) {
    problems.push(
      `replicas is ${facts.replicas}: a server that dies takes acknowledged messages with it; use ${neededReplicas}`,
    );
  }
  for (const { name, storage, num_replicas } of facts.streams) {
    if (storage !== StorageType.File)
      problems.push(`storage of stream ${name} is ${storage}: it must be file; delete the stream`);
    if (num_replicas < facts.replicas)
      problems.push(`replicas of stream ${name} is ${num_replicas}, not ${facts.replicas}`);
  }
  if (facts.syncAlways === false) {
    problems.push('sync_interval is not "always": acknowledged messages are lost when the power fails');
  }
  return problems;
}

/**
 * Asks the server's monitoring address (`http://host:8222`) whether it flushes each write. Undefined when that is unknown:
 * no address, no answer, or a server older than 2.12, which does not say.
 */
export async function readSyncAlways(monitor: string | undefined): Promise<boolean | undefined> {
  if (!monitor) return undefined;
  try {
    const answer = await fetch(new URL('/varz', monitor), { signal: AbortSignal.timeout(2_000), redirect: 'error' });
    const varz = (await answer.json()) as {
      jetstream?: { config?: { sync_always?: unknown; sync_interval?: unknown } };
    };
    const config = varz.jetstream?.config;
    if (!config || config.sync_interval === undefined) return undefined;
    return config.sync_always === true;
  } catch {
    return undefined;
  }
}
