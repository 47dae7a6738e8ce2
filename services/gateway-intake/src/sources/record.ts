import { type EventSourceRecord, isoTime } from '@order-automation/contracts';
import type { Parts } from '../administration/parts';
import type { EventSource } from './source';
import type { SourceDocument } from './source-documents';

/** Gateways that could not be asked the last time, in words for everybody. */
export async function sourceWarnings({ sources }: Pick<Parts, 'sources'>) {
  const documents = await sources.jobs.newest();
  return documents.flatMap(({ _id: about, problem }) =>
    problem === null
      ? []
      : [{ about, ends_at: null, text: `${about} could not be asked for events that never arrived: ${problem}` }],
  );
}

/** What is shown of the source of a gateway; undefined where it has none. */
export async function sourceRecordOf(parts: Parts, gateway: string): Promise<EventSourceRecord | undefined> {
  const source = parts.eventSources.find((one) => one.gateway === gateway);
  return source && sourceRecord(parts, source);
}

export async function sourceRecord({ sources }: Parts, source: EventSource): Promise<EventSourceRecord> {
  const { gateway, keyText: key_text, keptDays: kept_days } = source;
  const document: Partial<SourceDocument> | null = await sources.jobs.byId(gateway);
  const { last4, asked_at, asked_until, behind, due, found, last_found, problem } = document ?? {};
  return {
    connected: document !== null,
    key_last4: last4 ?? null,
    key_text,
    kept_days,
    asking: behind ?? false,
    asked_at: asked_at ?? null,
    asked_until: asked_until ?? null,
    next_at: due === undefined ? null : isoTime(due),
    found: found ?? 0,
    last_found: last_found ?? null,
    problem: problem ?? null,
  };
}
