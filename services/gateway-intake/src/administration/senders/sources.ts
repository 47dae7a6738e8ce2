import { invalidParameters, isoTime, type RequestInput, ServiceError } from '@order-automation/contracts';
import { displayNameOf } from '../../gateways/adapter';
import { askEvery } from '../../sources/ask';
import { sourceAsked, sourceConnected, sourceDisconnected } from '../../sources/entries';
import { sourceRecord } from '../../sources/record';
import { type EventSource, SourceError } from '../../sources/source';
import type { SourceDocument } from '../../sources/source-documents';
import { recordChange, recordedChange, someone } from '../change-log/change-log';
import type { Handlers, Parts } from '../parts';
import { unknownGateway } from './gateways';

/** Gateways that are asked for what never arrived. `kick`: what is due is looked for at once. */
export function sourceHandlers(parts: Parts, kick: () => void): Handlers {
  const read = async (gateway: string) => ({ source: await sourceRecord(parts, sourceOf(parts, gateway)) });
  return {
    'intake.source.get.v1': ({ gateway }) => read(gateway),
    'intake.source.connect.v1': async ({ gateway, key, by = someone }) => {
      const at = await tryKey(sourceOf(parts, gateway), key, parts.clock.now());
      const connect = () => parts.sources.connect(gateway, key, at);
      await recordedChange(parts, connect, () => sourceConnected(by, gateway, key.slice(-4)));
      kick();
      return read(gateway);
    },
    'intake.source.disconnect.v1': async ({ gateway, by = someone }) => {
      sourceOf(parts, gateway);
      if (!(await parts.sources.disconnect(gateway))) throw withoutKey(gateway);
      await recordChange(parts, sourceDisconnected(by, gateway));
      return { deleted: true };
    },
    'intake.source.ask.v1': async (input) => {
      await askNow(parts, input);
      kick();
      return read(input.gateway);
    },
  };
}

/** 404 `svc_gateway_not_found`; 409 `svc_source_not_available`. */
function sourceOf({ eventSources, router }: Parts, gateway: string): EventSource {
  const adapter = router.adapterFor(gateway);
  if (!adapter) throw unknownGateway(gateway);
  const source = eventSources.find((one) => one.gateway === gateway);
  if (!source)
    throw notAvailable(gateway, `${displayNameOf(adapter)} has no list of events that it could be asked for.`);
  return source;
}

const notAvailable = (gateway: string, text: string): ServiceError =>
  new ServiceError(409, 'svc_source_not_available', text, { gateway });
const wrongKey = (message: string): ServiceError => invalidParameters([{ path: 'key', message }]);
const withoutKey = (gateway: string): ServiceError =>
  notAvailable(gateway, `${gateway} has no key, so it cannot be asked.`);

/** One request with the key, which the gateway may refuse. Resolves with the time by the clock, ours or the gateway's, that is behind. */
async function tryKey(source: EventSource, key: string, now: number): Promise<number> {
  const problem = source.keyProblem(key);
  if (problem !== undefined) throw wrongKey(problem);
  try {
    const { at } = await source.page({ key, from: now - askEvery, to: now, types: [source.first], next: null });
    return Math.min(now, at);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    if (error.kind === 'key') throw wrongKey(`was tried: ${error.message}`);
    throw new ServiceError(409, 'svc_source_unavailable', `The key was not stored: ${error.message}`);
  }
}

async function askNow(parts: Parts, { gateway, since, by = someone }: RequestInput<'intake.source.ask.v1'>) {
  sourceOf(parts, gateway);
  const now = parts.clock.now();
  const from = since === null ? isoTime(now) : await earliest(parts, since);
  // What was not asked for yet stays to be asked for.
  const earlier = (time: string): string => (time < from ? time : from);
  const changes = (was: SourceDocument) => ({ asked_until: earlier(was.asked_until), begins: earlier(was.begins) });
  const asked = await parts.sources.changeNow(gateway, (was) => ({ ...changes(was), behind: true, due: now }));
  if (!asked) throw withoutKey(gateway);
  await recordChange(parts, sourceAsked(by, gateway, since === null ? null : from));
}

/** What was paid before this service was in use, somebody else has seen to: nothing is taken up from before the first event that is stored here. */
async function earliest({ collections: { inbox, payloads }, clock }: Parts, since: string): Promise<string> {
  const [first] = await payloads.join(await inbox.oldestOf({}, 1));
  const began = first?.event.occurredAt ?? first?.event.receivedAt ?? isoTime(clock.now());
  return since > began ? since : began;
}
