import { type Outbound, type OutboundAnswer, OutboundError, retryAfterOf } from '@order-automation/service';
import { parsePayload } from '../gateways/payload';

/** An event as the gateway lists it: the bytes that its webhook would have had. */
export type Listed = {
  /** In the sender's own words: `payment_intent.succeeded`. */
  readonly type: string;
  /** When it happened, in milliseconds since the epoch. */
  readonly at: number;
  readonly body: Buffer;
};

export type PageRequest = {
  readonly key: string;
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  /** Types that are wanted; none: all. A source that cannot ask for types lists more. */
  readonly types: readonly string[];
  /** Where the page before has ended; null: the first page. */
  readonly next: string | null;
};

/** `at`: when it was answered by the gateway's own clock, in milliseconds since the epoch; Infinity where it does not say. */
export type Page = { readonly events: readonly Listed[]; readonly next: string | null; readonly at: number };

/** A gateway that lists the events it has sent, so that it can be asked for those that never arrived. */
export type EventSource = {
  readonly gateway: string;
  /** What a key is, and what it has to be allowed to do, for the person who enters it. */
  readonly keyText: string;
  readonly keptDays: number;
  /** Whether it lists what it sends to us alone. Otherwise it lists the whole account, of which we want what is sent to us. */
  readonly listsOurs: boolean;
  /** What the types of its events begin with here. */
  readonly typePrefix: string;
  /** Types that are asked for though none of the same meaning was ever received, because a shop cannot do without them. */
  readonly always: readonly string[];
  /** The type that is asked for while no webhook of the gateway was ever received. */
  readonly first: string;
  keyProblem(key: string): string | undefined;
  /** Rejects with SourceError. */
  page(request: PageRequest): Promise<Page>;
};

/** Why a gateway could not be asked, in words that hold no key. */
export class SourceError extends Error {
  constructor(
    /** `key`: it refused the key, so that a person has to give another one. */
    readonly kind: 'key' | 'unavailable',
    message: string,
    /** Milliseconds for which it wants to be left alone. */
    readonly retryAfter = 0,
  ) {
    super(message);
  }
}

export type Asking = Parameters<Outbound['request']>[1];

/** The object that a gateway answers with, and when (`Page`). Rejects with SourceError. */
export async function askGateway(outbound: Outbound, url: URL, asking: Asking) {
  const answer = await outbound.request(url.href, asking).catch((error: unknown) => {
    const why = error instanceof OutboundError ? error.message : 'The host could not be reached.';
    throw new SourceError('unavailable', `${url.host} could not be asked: ${why}`);
  });
  if (answer.status !== 200) throw refusalOf(url.host, answer);
  const { payload } = parsePayload(answer.body);
  if (!payload) throw new SourceError('unavailable', `${url.host} answered something that is not a JSON object.`);
  return { object: payload, at: Date.parse(String(answer.headers.date)) || Number.POSITIVE_INFINITY };
}

function refusalOf(host: string, { status, headers }: OutboundAnswer): SourceError {
  if (status === 401 || status === 403)
    return new SourceError('key', `${host} refused the key (${status}): it is wrong, or may not read events.`);
  const retryAfter = retryAfterOf(headers['retry-after'], Date.now()) ?? 0;
  if (status === 429) return new SourceError('unavailable', `${host} was asked too often (429).`, retryAfter);
  return new SourceError('unavailable', `${host} answered with the status ${status}.`);
}
