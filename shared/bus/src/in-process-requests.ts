import type { RequestInput, RequestOutput, RequestType } from '@order-automation/contracts';
import { newDeadlines } from './deadlines';
import { BusError } from './errors';
import { type InHand, newInHand } from './in-hand';
import type { BusLog } from './log';
import { givenInput, givenOutput, ownInput, ownOutput } from './parse';
import type { RequestOptions, RespondOptions } from './port';
import { fromWireError, isOutage, toWireError } from './wire-error';

type Responder = {
  readonly handler: (input: unknown) => Promise<unknown>;
  readonly given: boolean;
  readonly inHand: InHand;
};

export const defaultTimeout = 2_500;

/** Requests between the services of one process. */
export type Requests = {
  request<T extends RequestType>(type: T, input: RequestInput<T>, options?: RequestOptions): Promise<RequestOutput<T>>;
  /** The function returned stops taking requests and waits for those in hand. */
  respond(
    type: RequestType,
    handler: (input: unknown) => Promise<unknown>,
    options?: RespondOptions,
  ): () => Promise<void>;
  /** Whether anybody answers it. */
  answers(type: RequestType): boolean;
  /** Resolves when nothing is in hand. */
  drained(): Promise<void>;
};

export function inProcessRequests(log: BusLog): Requests {
  const responders = new Map<RequestType, Responder[]>();
  const inHand = newInHand();
  const deadlines = newDeadlines();
  let turn = 0;

  const answer = async (type: RequestType, responder: Responder, input: unknown): Promise<unknown> => {
    await null;
    try {
      const output = await responder.handler(input);
      return responder.given ? givenOutput(type, output) : ownOutput(type, output);
    } catch (err) {
      if (!isOutage(err) && !isRefusal(err)) log.error({ err, type }, 'a responder failed');
      throw fromWireError(toWireError(err, type));
    }
  };

  const track = (responder: Responder, job: Promise<unknown>): void => {
    const settled = job.then(ignore, ignore);
    responder.inHand.add(settled);
    inHand.add(settled);
  };

  return {
    request: async <T extends RequestType>(type: T, input: RequestInput<T>, options: RequestOptions = {}) => {
      const parsed = options.given ? givenInput(type, input) : ownInput(type, input);
      const candidates = responders.get(type) ?? [];
      turn += 1;
      const responder = candidates[turn % candidates.length];
      if (!responder) throw new BusError('no_responder', `Nobody answers ${type}.`);
      const job = answer(type, responder, parsed);
      track(responder, job);
      const timeout = options.timeout ?? defaultTimeout;
      const late = (): BusError => new BusError('timeout', `${type} was not answered within ${timeout} ms.`);
      return (await deadlines.within(job, timeout, late)) as RequestOutput<T>;
    },
    respond: (type, handler, { given = false } = {}) => {
      const responder: Responder = { handler, given, inHand: newInHand() };
      responders.set(type, [...(responders.get(type) ?? []), responder]);
      return async () => {
        const others = (responders.get(type) ?? []).filter((other) => other !== responder);
        responders.set(type, others);
        await responder.inHand.idle();
      };
    },
    answers: (type) => (responders.get(type) ?? []).length > 0,
    drained: inHand.idle,
  };
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === 'ServiceError';
}

function ignore(): void {}
