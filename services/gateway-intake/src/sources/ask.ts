import { isoTime, newProcessId } from '@order-automation/contracts';
import { startJobs } from '@order-automation/service';
import type { Logger } from 'pino';
import { recordChange } from '../administration/change-log/change-log';
import type { Parts } from '../administration/parts';
import { ownWebhook } from '../administration/tests/test-send';
import { inspect } from '../receiving/inspect';
import { receiveAll } from '../receiving/receive';
import { eventsRecovered, sourceFailed } from './entries';
import { type EventSource, type Listed, type PageRequest, SourceError } from './source';
import { type SourceDocument, windows } from './source-documents';
import { wantedTypes } from './wanted-types';

/** Milliseconds between two times that a gateway is asked. With `settle` it is less than the five minutes in which a gap is to be found. */
export const askEvery = 150_000;
/** Milliseconds that a webhook has to arrive by itself, and by which what was asked for is asked for again: a list may be late. */
const settle = 120_000;
const overlap = 5 * 60_000;
const maxPages = 50;
/** Events that are stored with one flush. */
const group = 100;
const lookEvery = 5_000;
const day = 24 * 3_600_000;

/** Asks each gateway that has a key, whichever of our instances is free to, until it is closed. */
export function startAsking(parts: Parts & { readonly log: Logger }) {
  const typesOf = wantedTypes(parts);
  return startJobs<SourceDocument>({
    ...parts,
    name: 'events that never arrived',
    jobs: parts.sources.jobs,
    every: lookEvery,
    begin: () => async (document) => {
      const source = parts.eventSources.find(({ gateway }) => gateway === document._id);
      if (!source) return { due: undefined };
      const now = parts.clock.now();
      try {
        return await askOnce(parts, source, document, await typesOf(source, now));
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
        if (document.problem !== error.message) await recordChange(parts, sourceFailed(document._id, error.message));
        const due = now + Math.min(Math.max(askEvery, error.retryAfter), day);
        return { problem: error.message, asked_at: isoTime(now), due };
      }
    },
  });
}

/** Asks for what was sent in the window that follows, and takes up what never arrived. Rejects with SourceError. */
async function askOnce(
  parts: Parts,
  source: EventSource,
  document: SourceDocument,
  types: readonly string[],
): Promise<Partial<SourceDocument>> {
  const now = parts.clock.now();
  // Gateways are asked to the second: what is said to be here is no more than that.
  const last = Math.floor((now - settle) / 1_000) * 1_000;
  const since = Math.max(Date.parse(document.asked_until), now - source.keptDays * day);
  const to = Math.min(last, since + document.window);
  const next = { asked_at: isoTime(now), problem: null };
  if (to <= since) return { ...next, behind: false, due: now + askEvery };
  const from = Math.max(since - overlap, Date.parse(document.begins));
  const request = { key: parts.sources.open(document), from, to, types };
  const listed = await list(source, request, document.window > windows.shortest ? maxPages : Infinity);
  if (!listed) return { window: Math.max(windows.shortest, document.window / 4), due: now };
  // What is here ends by the clock of the gateway: by ours, which may be ahead, the events that follow would be skipped.
  const until = Math.min(to, listed.at - settle);
  const sent = await takeUp(parts, source.gateway, listed.events);
  if (sent.length > 0) {
    await parts.sources.addFound(document, sent, now);
    parts.telemetry.recovered(source.gateway, sent.length);
    await recordChange(parts, eventsRecovered(source.gateway, sent.length, isoTime(since), isoTime(until)));
  }
  const behind = to < last && until === to;
  const then = behind ? { due: now } : { due: now + askEvery, window: windows.longest };
  return { ...next, ...then, asked_until: isoTime(until), behind };
}

/** What the gateway lists of the window, in the order in which it happened, and when it began to; undefined when that is more than so many pages. */
async function list(
  source: EventSource,
  request: Omit<PageRequest, 'next'>,
  pages: number,
): Promise<{ readonly events: readonly Listed[]; readonly at: number } | undefined> {
  const { types } = request;
  const events: Listed[] = [];
  let at = Number.POSITIVE_INFINITY;
  let next: string | null = null;
  for (let page = 0; page === 0 || next !== null; page += 1) {
    if (page === pages) return undefined;
    const answer = await source.page({ ...request, next });
    events.push(...answer.events.filter(({ type }) => types.length === 0 || types.includes(type)));
    ({ next } = answer);
    at = Math.min(at, answer.at);
  }
  // The newest come first, those of the same second too.
  return { events: events.reverse().sort((a, b) => a.at - b.at), at };
}

/**
 * Those that are here by their keys, whatever became of them, are left alone; the others are received as their webhooks would have been. Resolves with when
 * those were sent that were stored, in milliseconds since the epoch.
 */
async function takeUp(parts: Parts, gateway: string, listed: readonly Listed[]): Promise<number[]> {
  const { clock, collections } = parts;
  const headers = { 'content-type': ['application/json'] };
  const sent: number[] = [];
  for (let start = 0; start < listed.length; start += group) {
    const now = clock.now();
    const taken = listed.slice(start, start + group);
    const webhooks = taken.map(({ body }) =>
      ownWebhook({ gateway, connection: null, process_id: newProcessId(now) }, { headers, body }, now),
    );
    const inspected = await Promise.all(webhooks.map((one) => inspect(parts, one, { now, vouched: 'recovered' })));
    const keys = inspected.map(keysOf);
    const held = await collections.payloads.holders(keys.flat());
    const known = new Set(held.map(({ key }) => key));
    const missing = taken.flatMap(({ at }, index) => {
      const [webhook, keysOfOne = []] = [webhooks[index], keys[index]];
      return webhook && keysOfOne.length > 0 && !keysOfOne.some((key) => known.has(key)) ? [{ webhook, at }] : [];
    });
    const asReceived = missing.map(({ webhook }) => webhook);
    const received = await receiveAll(parts, asReceived, { vouched: 'recovered' });
    if (received.some(({ outcome }) => outcome.kind === 'not_stored')) throw new Error('not all could be stored');
    for (const [index, { at }] of missing.entries()) if (received[index]?.outcome.kind === 'accepted') sent.push(at);
  }
  return sent;
}

/** The keys under which an event is found that arrived; none of what cannot be read, of which nothing is stored. */
function keysOf(inspection: Awaited<ReturnType<typeof inspect>>): string[] {
  const events = inspection.kind === 'accepted' ? inspection.events : (inspection.keep?.events ?? []);
  const earlier = inspection.kind === 'accepted' ? inspection.earlierKey : null;
  return [...events.map(({ idempotencyKey }) => idempotencyKey), ...(earlier === null ? [] : [earlier])];
}
