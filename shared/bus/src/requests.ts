import { type InFlight, newInFlight, retryOf, within } from '@order-automation/base';
import type { RequestInput, RequestOutput, RequestType } from '@order-automation/contracts';
import { BusError } from './errors';
import type { BusLog, RequestOptions } from './port';
import { exchangeOf, parseJson } from './wire';
import { refusalOf } from './wire-error';

/** Answers a request as it travels. Rejects with what the caller may see. */
export type TextResponder = (text: string) => Promise<string>;

/** Answers a request of its own thread: input and output are copies, which nobody else has. Rejects as a TextResponder. */
export type ValueResponder = (input: unknown) => Promise<unknown>;

/** A responder; of one in another thread there is only the text. */
export type Responder = { readonly text: TextResponder; readonly value?: ValueResponder };

/** What carries a request: to a responder of this thread that takes values, or as text. */
export type RequestTransport = {
  readonly text: (text: string, timeout: number) => Promise<string>;
  readonly value?: ValueResponder | undefined;
};

/** One request, whatever carries it. The deadline is counted here, whatever the other side does meanwhile: its event loop may be blocked. */
export async function ask<T extends RequestType>(
  type: T,
  input: RequestInput<T>,
  { timeout = 2_500 }: RequestOptions,
  send: RequestTransport,
): Promise<RequestOutput<T>> {
  const exchange = exchangeOf(type);
  const late = (): BusError => new BusError('timeout', `${type} was not answered within ${timeout} ms.`);
  if (send.value) return (await within(timeout, send.value(exchange.input.copy(input)), late)) as RequestOutput<T>;
  const text = exchange.input.encode(input);
  return exchange.output.parse(parseJson(await within(timeout, send.text(text, timeout), late)));
}

/** Reads, handles and writes for a responder; what it throws becomes what the caller may see. */
export function respondingTo<T extends RequestType>(
  type: T,
  handler: (input: RequestInput<T>) => Promise<RequestOutput<T>>,
  log: BusLog,
): Required<Responder> {
  const { input, output } = exchangeOf(type);
  const answer = async <Answer>(read: RequestInput<T>, write: (answer: RequestOutput<T>) => Answer) => {
    try {
      return write(await handler(read));
    } catch (err) {
      const refusal = refusalOf(err, type);
      if (refusal !== err && retryOf(err) !== 'later') log.error({ err, type }, 'a responder failed');
      throw refusal;
    }
  };
  return {
    // A request that does not parse is the caller's fault: invalid_message.
    text: async (text) => answer(input.parse(parseJson(text)), output.encode),
    value: async (value) => answer(value as RequestInput<T>, output.copy),
  };
}

type Place = { readonly responder: Responder; readonly inFlight: InFlight };

/** The responders of one process or thread. */
export function newResponders() {
  const places = new Map<RequestType, readonly Place[]>();
  const inFlight = newInFlight();
  const at = (type: RequestType): readonly Place[] => places.get(type) ?? [];
  let turn = 0;
  const askOne = async <Answer>(type: RequestType, use: (responder: Responder) => Promise<Answer>): Promise<Answer> => {
    const candidates = at(type);
    turn += 1;
    const place = candidates[turn % candidates.length];
    if (!place) throw new BusError('no_responder', `No responder answers ${type}.`);
    // In a turn of its own, as over a wire.
    const answer = Promise.resolve(place.responder).then(use);
    const settled = answer.then(ignore, ignore);
    place.inFlight.add(settled);
    inFlight.add(settled);
    return answer;
  };
  return {
    /** Asks one responder, round robin; rejects with BusError `no_responder` when there is none. */
    ask: (type: RequestType, text: string): Promise<string> => askOne(type, (responder) => responder.text(text)),
    /** The same with a value; undefined unless every responder takes values. */
    valueResponder: (type: RequestType): ValueResponder | undefined =>
      at(type).length > 0 && at(type).every(({ responder }) => responder.value)
        ? (input) => askOne(type, (responder) => (responder.value as ValueResponder)(input))
        : undefined,
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
