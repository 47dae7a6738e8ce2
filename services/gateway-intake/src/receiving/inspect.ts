import type { ReceivedWebhook, UniversalEvent } from '@order-automation/contracts';
import { isUnpacked } from '@order-automation/service';
import type { SecretUses } from '../connections/secret-uses';
import type { AdapterInput, Authenticity, Context, GatewayAdapter, Proof, RawInput } from '../gateways/adapter';
import { type Connection, type Reading, writtenReading } from '../gateways/connection';
import { sha256 } from '../gateways/idempotency-keys';
import { limits, longestText, type Parsed, parsePayload } from '../gateways/payload';
import { authenticityRefusal, formatRefusal, ofKnownSender, type Refusal } from '../gateways/refusal';
import type { AdapterRouter } from '../gateways/router';
import type { Metadata } from '../inbox/documents';
import { completeEvents } from './complete-event';

/** What a webhook turned out to be: events to store, or a reason not to. */
export type Inspection =
  | {
      readonly kind: 'accepted';
      readonly events: readonly UniversalEvent[];
      readonly metadata: Metadata;
      readonly verifying: boolean;
      /** Nothing proves it, and nothing has to. */
      readonly unauthenticated: boolean;
      /** An id that may come with this body alone. */
      readonly singleUse: string | null;
      /** The key that the version before gave the first event, where it was another one. */
      readonly earlierKey: string | null;
    }
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly keep: Kept | null };

/** An authentic webhook that takes no effect: kept, so that somebody can look at it. */
type Kept = { readonly events: readonly UniversalEvent[]; readonly metadata: Metadata };

const unknownGateway = authenticityRefusal('unknown_gateway', 'There is no gateway of this name.');
const unknownConnection = authenticityRefusal('unknown_connection', 'There is no connection of this name.');
const disabledConnection = authenticityRefusal('connection_disabled', 'The connection is disabled.');
const notAuthentic = authenticityRefusal('not_authentic', 'The adapter did not believe the webhook.');
const adapterFailed = authenticityRefusal('adapter_failed', 'The adapter could not read the webhook.');
const emptyBody = formatRefusal('empty_body', 'The body is empty.');
const tooLarge = formatRefusal('too_large', `The body is larger than ${limits.bodyBytes} bytes.`);
const encoded = formatRefusal('content_encoding', 'A Content-Encoding is not accepted.');
const otherShape = formatRefusal('not_an_event', 'The payload is not an event of this gateway.');
const noEvent = formatRefusal('no_event', 'The payload holds no event.');
/** The sender tries the address: answered, and there is nothing to store. */
const ping: Inspection = {
  kind: 'accepted',
  events: [],
  metadata: {},
  verifying: false,
  unauthenticated: true,
  singleUse: null,
  earlierKey: null,
};

/** What webhooks are judged by. */
export type Inspector = {
  readonly router: AdapterRouter;
  readonly connections: { byName(name: string): Connection | undefined; all(): readonly Connection[] };
  /** How references to orders are read that a gateway's own address received; undefined: as by default. */
  readonly readingOf: (gateway: string) => Reading | undefined;
  /** Learns which secret proved a webhook that is no test. */
  readonly secretUses: Pick<SecretUses, 'note'>;
  /** Learns what an adapter threw. */
  readonly onFailure: (error: unknown) => void;
};

/** `now` in milliseconds since the epoch; `test` is set by the test route alone. */
export type InspectOptions = {
  readonly now: number;
  readonly test?: { readonly id: string; readonly proof: string | null };
  /** It came another way than by a webhook, and nothing has to prove it: an administrator vouches for it, or its gateway was asked. */
  readonly vouched?: 'import' | 'recovered';
  /** Whether the reason of a refusal is worth its cost; true without it. */
  readonly withinRate?: boolean;
  /** Asked before the proof: why the webhook is not even judged. */
  readonly admit?: (adapter: GatewayAdapter, raw: RawInput, context: Context) => Refusal | undefined;
};

/**
 * Section 4.3 of the specification, steps 1 and 2: authenticity of the received bytes first, then the payload. Only the addressed adapter
 * is asked. Never throws or rejects; a promise only where the adapter's proof is one.
 */
export function inspect(
  inspector: Inspector,
  webhook: ReceivedWebhook,
  options: InspectOptions,
): Inspection | Promise<Inspection> {
  const adapter = inspector.router.adapterFor(webhook.gateway);
  if (!adapter) return refuse(unknownGateway);
  const connection = webhook.connection === null ? null : inspector.connections.byName(webhook.connection);
  if (connection === undefined || (connection && webhook.gateway !== 'generic')) return refuse(unknownConnection);
  if (connection?.enabled === false) return refuse(disabledConnection);
  const outOfLimits = refuseByLimits(webhook);
  if (outOfLimits) return refuse(outOfLimits);
  const context: Context = {
    connection,
    otherConnections: () => inspector.connections.all().filter(({ name }) => name !== connection?.name),
    withinRate: options.withinRate ?? true,
    testProof: options.test?.proof ?? null,
  };
  const raw = rawInput(adapter, webhook, options.now);
  const failed = (error: unknown): Inspection => {
    inspector.onFailure(error);
    return refuse(adapterFailed);
  };
  try {
    if (adapter.isPing?.(raw) === true) return ping;
    const objection = options.vouched ? undefined : options.admit?.(adapter, raw, context);
    if (objection) return refuse(objection);
    const authenticity = options.vouched !== undefined || adapter.validateAuthenticity(raw, context);
    const judge = (settled: Authenticity) => {
      const proof = proofOf(settled);
      if (proof.kind === 'authentic' && proof.secret !== undefined && !options.test)
        inspector.secretUses.note(proof.secret, options.now);
      const reading = readingNow(inspector, adapter, connection);
      const judged = judgePayload(adapter, webhook, raw, { context, proof, options, reading });
      return judged.kind === 'refused' && proof.kind === 'authentic'
        ? { ...judged, refusal: ofKnownSender(judged.refusal) }
        : judged;
    };
    return authenticity instanceof Promise ? authenticity.then(judge).catch(failed) : judge(authenticity);
  } catch (error) {
    return failed(error);
  }
}

/** How references of this sender are read as the settings are now; undefined: as by default. */
export function readingNow(
  { readingOf }: Pick<Inspector, 'readingOf'>,
  { gateway, reading }: Pick<GatewayAdapter, 'gateway' | 'reading'>,
  connection: Pick<Connection, 'reading'> | null,
): Reading | undefined {
  return writtenReading(reading ?? connection?.reading ?? readingOf(gateway));
}

type Parsing = RawInput & { readonly parsed: () => Parsed };

/** The body is parsed once, and before the proof only where an adapter asks for the payload. */
function rawInput(
  adapter: GatewayAdapter,
  { connection, headers, body: bytes }: ReceivedWebhook,
  now: number,
): Parsing {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let known: Parsed | undefined;
  const parsed = (): Parsed => {
    known ??= adapter.parse ? adapter.parse({ connection, headers, body, now }) : parsePayload(body);
    return known;
  };
  return {
    connection,
    headers,
    body,
    now,
    parsed,
    get payload() {
      return parsed().payload;
    },
  };
}

const refuse = (refusal: Refusal, keep: Kept | null = null): Inspection => ({ kind: 'refused', refusal, keep });

function proofOf(authenticity: Authenticity): Proof {
  if (typeof authenticity === 'object') return authenticity;
  return authenticity === true ? { kind: 'authentic' } : { kind: 'refused', refusal: notAuthentic };
}

/** decisions.md section 6, "Limits": what the edge found, and the same again for whatever did not come through it. */
function refuseByLimits({ refused: reason, headers, body }: ReceivedWebhook): Refusal | undefined {
  const encoding = headers['content-encoding'];
  if (reason === 'too_large' || body.length > limits.bodyBytes) return tooLarge;
  if (reason === 'content_encoding' || encoding?.every(isUnpacked) === false) return encoded;
  if (reason !== null)
    return authenticityRefusal('refused_by_edge', `Refused before it was read: ${reason.slice(0, longestText)}`);
  return body.length === 0 ? emptyBody : undefined;
}

type Judged = {
  readonly context: Context;
  readonly proof: Proof;
  readonly options: InspectOptions;
  readonly reading: Reading | undefined;
};

function judgePayload(adapter: GatewayAdapter, webhook: ReceivedWebhook, raw: Parsing, judged: Judged): Inspection {
  const { context, proof, options, reading } = judged;
  if (proof.kind === 'refused') return refuse(proof.refusal);
  const parsed = raw.parsed();
  if (parsed.refusal) return refuse(parsed.refusal);
  const { connection, headers, body, now } = raw;
  const input: AdapterInput = { connection, headers, body, now, context, payload: parsed.payload };
  if (!adapter.canHandle(input)) return refuse(otherShape);
  const normalized = adapter.normalize(input);
  if (normalized.length === 0) return refuse(noEvent);
  const authenticated = proof.kind === 'authentic';
  const objection = adapter.objection?.(input);
  const isTest = options.test !== undefined;
  const keyOf = (ofSender: string): string => {
    const key = storedKey(ofSender, body, authenticated, objection !== undefined);
    return options.test?.id ?? key;
  };
  const key = keyOf(adapter.computeIdempotencyKey(input));
  const channel = options.vouched ?? 'webhook';
  const { payload } = parsed;
  const origin = { adapter, payload, gateway: adapter.gateway, channel, webhook, authenticated, isTest, reading, now };
  const events = completeEvents(normalized, key, origin);
  if ('code' in events) return refuse(events);
  const metadata = metadataOf(adapter, input);
  if (objection) return refuse(objection, authenticated ? { events, metadata } : null);
  const singleUse = proof.kind === 'authentic' ? (proof.singleUse ?? null) : null;
  const [verifying, unauthenticated] = [proof.kind === 'verifying', proof.kind === 'unauthenticated'];
  const earlier = isTest ? undefined : adapter.earlierKey?.(input);
  const earlierKey = earlier === undefined ? null : keyOf(earlier);
  return { kind: 'accepted', events, metadata, verifying, unauthenticated, singleUse, earlierKey };
}

/** What has no names, such as an empty array, is no metadata. */
function metadataOf(adapter: GatewayAdapter, input: AdapterInput): Metadata {
  const found: unknown = adapter.extractGatewaySpecificMetadata(input);
  const hasNames = typeof found === 'object' && found !== null && !Array.isArray(found);
  return hasNames ? (found as Metadata) : {};
}

/**
 * An id proves nothing where the sender is not proven: the key covers the body then, so that nobody can spend the id of a genuine event.
 * A refused event leaves the key of the one that may follow it alone.
 */
function storedKey(key: string, body: Buffer, authenticated: boolean, isRefused: boolean): string {
  if (typeof key !== 'string' || key === '') throw new Error('the adapter gave no text as idempotency key');
  const whole = `${isRefused ? 'refused ' : ''}${key}${authenticated ? '' : ` ${sha256(body)}`}`;
  return whole.length <= 250 ? whole : `#${sha256(whole)}`;
}
