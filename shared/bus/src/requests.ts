import { type InFlight, newInFlight, retryOf, within } from '@order-automation/base';
import type { RequestInput, RequestOutput, RequestType } from '@order-automation/contracts';
import { BusError } from './errors';
import type { BusLog, RequestOptions } from './port';
import { exchangeOf, parseJson } from './wire';
import { refusalOf } from './wire-error';

/** Answers a request as it travels. Rejects with what the caller may see. */
export type Responder = (text: string) => Promise<string>;

/** One request, whatever carries it. The deadline is counted here, whatever the other side does meanwhile: its event loop may be blocked. */
export async function ask<T extends RequestType>(
  type: T,
  input: RequestInput<T>,
  { timeout = 2_500 }: RequestOptions,
  send: (text: string, timeout: number) => Promise<string>,
): Promise<RequestOutput<T>> {
  const exchange = exchangeOf(type);
  const late = (): BusError => new BusError('timeout', `${type} was not answered within ${timeout} ms.`);
  const text = exchange.input.encode(input);
  return exchange.output.parse(parseJson(await within(timeout, send(text, timeout), late)));
}

/** Reads, handles and writes for a responder; what it throws becomes what the caller may see. */
export function respondingTo<T extends RequestType>(
  type: T,
  handler: (input: RequestInput<T>) => Promise<RequestOutput<T>>,
  log: BusLog,
): Responder {
  const { input, output } = exchangeOf(type);
  return async (text) => {
    // A request that does not parse is the caller's fault: invalid_message.
    const read = input.parse(parseJson(text));
    try {
      return output.encode(await handler(read));
    } catch (err) {
      const refusal = refusalOf(err, type);
      if (refusal !== err && retryOf(err) !== 'later') log.error({ err, type }, 'a responder failed');
      throw refusal;
    }
  };
}

type Place = { readonly responder: Responder; readonly inFlight: InFlight };

/** The responders of one process or thread. */
export function newResponders() {
  const places = new Map<RequestType, readonly Place[]>();
  const inFlight = newInFlight();
  const at = (type: RequestType): readonly Place[] => places.get(type) ?? [];
  let turn = 0;
  const askOne = async (type: RequestType, text: string): Promise<string> => {
    const candidates = at(type);
    turn += 1;
    const place = candidates[turn % candidates.length];
    if (!place) throw new BusError('no_responder', `No responder answers ${type}.`);
    // In a turn of its own, as over a wire.
    const answer = Promise.resolve(text).then(place.responder);
    const settled = answer.then(ignore, ignore);
    place.inFlight.add(settled);
    inFlight.add(settled);
    return answer;
  };
  return {
    /** Asks one responder, round robin; rejects with BusError `no_responder` when there is none. */
    ask: askOne,
    has: (type: RequestType): boolean => at(type).length > 0,
    /** The function returned removes it and waits for its requests in flight. */
    add: (type: RequestType, responder: Responder): (() => Promise<void>) => {
      const place: Place = { responder, inFlight: newInFlight() };
      places.set(type, [...at(type), place]);
      return async () => {
        const others = at(type).filter((other) => other !== place);
        places.set(type, others);
        await place.inFlight.idle();
      };
    },
    /** Resolves when nothing is in flight. */
    idle: inFlight.idle,
  };
}

function ignore(): void {}
