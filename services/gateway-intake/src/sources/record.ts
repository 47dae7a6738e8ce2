import { type EventSourceRecord, isoTime, type Recovered } from '@order-automation/contracts';
import type { Parts } from '../administration/parts';
import type { EventSource } from './source';
import { isRecent, type SourceDocument } from './source-documents';

/** Gateways that could not be asked the last time, in words for everybody. */
export async function sourceWarnings({ sources }: Pick<Parts, 'sources'>) {
  const documents = await sources.jobs.newest();
  return documents.flatMap(({ _id: about, problem }) =>
    problem === null
      ? []
      : [{ about, ends_at: null, text: `${about} could not be asked for events that never arrived: ${problem}` }],
  );
}

/** What never arrived and was taken up in the last day, and what became of it. */
export async function recoveredLately({ sources, collections: { inbox }, clock }: Parts): Promise<Recovered[]> {
  const documents = (await sources.jobs.newest()).filter(({ last_found }) => isRecent(last_found, clock.now()));
  const recovered = documents.map(async ({ _id: gateway, gap, behind: asking, asked_until }) => {
    if (!gap) return [];
    const { since, from, to } = gap;
    const states = [{}, { state: 'done' }, { state: 'waiting' }, { state: 'dead' }] as const;
    const counts = await Promise.all(states.map((state) => inbox.countRecovered(gateway, Date.parse(since), state)));
    const [total = 0, done = 0, waiting = 0, dead = 0] = counts;
    return total === 0 ? [] : [{ gateway, from, to, total, done, waiting, dead, asking, asked_until }];
  });
  return (await Promise.all(recovered)).flat();
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
