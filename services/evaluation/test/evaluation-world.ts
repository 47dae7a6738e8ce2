import { type EventReceived, message, type RuleRecord } from '@order-automation/contracts';
import { createMetrics, type Service } from '@order-automation/service';
import { type Lane, type LaneDeps, settableClock, waitFor } from '@order-automation/testing';
import { type EvaluationDocument, evaluationIndexes, startEvaluation } from '../src';
import { type Peers, startPeers, testConfig } from './peers';

export const config = testConfig();

/** Evaluation among services that are played, new for each test. */
export function useEvaluation(lane: Lane) {
  let clock = settableClock();
  let deps: LaneDeps;
  let peers: Peers;
  let service: Service;
  let database = 0;

  beforeEach(async () => {
    database += 1;
    clock = settableClock();
    deps = await lane.deps({ database: `d${database}`, clock });
    peers = await startPeers(deps.bus);
    service = await startEvaluation(deps, config);
  });
  afterEach(() => service?.close());

  const eventMessage = (data: EventReceived, id = data.event.id) =>
    message('intake.event-received.v1', data, { id, process_id: data.process_id, now: Date.now() });
  const publish = (data: EventReceived, id = data.event.id) => deps.bus.publish(eventMessage(data, id));
  const documents = () => deps.store.collection<EvaluationDocument>('evaluations', evaluationIndexes);
  const stored = async (id: string) => (await documents()).findOne({ _id: id });
  const storedAs = (id: string, state: EvaluationDocument['state']) =>
    waitFor(
      async () => {
        const document = await stored(id);
        return document?.state === state && document;
      },
      { timeout: 30_000, describe: `${id} ${state}` },
    );
  const reported = (id: string) => peers.done.find(({ event_id }) => event_id === id);
  const doneWith = (id: string) => waitFor(() => reported(id), { timeout: 30_000, describe: `${id} done` });
  /** As `doneWith`, while time passes and tries fall due. */
  const doneInTime = (id: string) =>
    waitFor(
      () => {
        clock.advance(5_000);
        return reported(id);
      },
      { timeout: 30_000, describe: `${id} done` },
    );
  const allEntriesOf = ({ process_id }: EventReceived) =>
    [...peers.entries.values()].filter((entry) => entry.process_id === process_id);
  const besides = new Set(['webhook_received', 'event_normalized', 'retry_scheduled']);
  /** Without those about the reception and about tries. */
  const entriesOf = (data: EventReceived) => allEntriesOf(data).filter(({ event_type }) => !besides.has(event_type));
  const start = async (changed = config): Promise<void> => {
    service = await startEvaluation({ ...deps, metrics: createMetrics('evaluation') }, changed);
  };
  const restartWith = async (...rules: RuleRecord[]): Promise<void> => {
    peers.rules = rules;
    await service.close();
    await start();
  };
  return {
    get clock() {
      return clock;
    },
    get deps() {
      return deps;
    },
    get peers() {
      return peers;
    },
    get service() {
      return service;
    },
    start,
    stop: () => service.close(),
    restartWith,
    publish,
    eventMessage,
    documents,
    stored,
    storedAs,
    reported,
    doneWith,
    doneInTime,
    allEntriesOf,
    entriesOf,
  };
}
