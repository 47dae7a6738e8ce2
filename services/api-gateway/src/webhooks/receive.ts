import type { IncomingMessage, ServerResponse } from 'node:http';
import { isoTime, newProcessId, type ReceivedWebhook, type WebhookLimit } from '@order-automation/contracts';
import { isUnpacked, type ServiceDeps } from '@order-automation/service';
import { clientOf } from '../auth/client-address';
import { endWhenRead } from '../http-server/answers';
import type { BodyOutcome, BodyReader } from '../http-server/body-reader';
import type { Telemetry, WebhookOutcome } from '../telemetry';
import { type WebhookAddress, webhookAddress } from './address';
import { type HandOver, handOver } from './hand-over';
import { forwardedHeaders } from './headers';
import type { MissedRecorder } from './missed';
import texts from './not-stored.json';
import { failureText, limitHeaders, receptionText } from './reception-answer';

/** decisions.md section 6: bytes of the largest body. */
const maxWebhookBody = 1024 * 1024;

export type WebhookDeps = Pick<ServiceDeps, 'bus' | 'clock' | 'log'> & {
  readonly telemetry: Telemetry;
  readonly missed: Pick<MissedRecorder, 'add'>;
  /** A body stays charged until intake has answered. */
  readonly bodies: BodyReader;
  readonly prefix: string;
  /** Names that are paths of other routes, not gateways. */
  readonly reserved: ReadonlySet<string>;
  readonly trustedProxies: number;
};

/**
 * Takes webhooks: reads them, gives each its process id, hands them to intake in groups, and answers 200 with what intake
 * says (section 4.3 of the specification). `success: true` is said by intake alone.
 */
export function webhookReceiver(deps: WebhookDeps) {
  const { clock, prefix, bodies } = deps;
  const intake = handOver(deps);
  return {
    /** Resolves when intake has answered for everything that was handed to it. */
    idle: intake.idle,
    /** Answers the request when it is a webhook; false leaves it to somebody else. */
    receive: (req: IncomingMessage, res: ServerResponse, requestId: string): boolean => {
      if (req.method !== 'POST') return false;
      const address = webhookAddress(req.url ?? '', prefix);
      if (!address || deps.reserved.has(address.gateway)) return false;
      const started = performance.now();
      const processId = newProcessId(clock.now());
      const client = clientOf(req, deps.trustedProxies).address;
      bodies.collect(req, maxWebhookBody, (outcome, release) => {
        const arrival = { req, res, address, requestId, started, processId, client, release };
        void handle(deps, intake, arrival, outcome);
      });
      return true;
    },
  };
}

type Arrival = {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly address: WebhookAddress;
  readonly requestId: string;
  readonly started: number;
  readonly processId: string;
  /** The sender's address. */
  readonly client: string;
  /** Gives back the memory of the body. */
  readonly release: () => void;
};

async function handle(deps: WebhookDeps, intake: HandOver, arrival: Arrival, outcome: BodyOutcome): Promise<void> {
  const { res, requestId, started, processId, release } = arrival;
  const tell = (result: WebhookOutcome, text: string, limit?: WebhookLimit): void => {
    release();
    answer(res, requestId, text, limit);
    if (result === 'unavailable' || result === 'overloaded') missed(deps, arrival, result);
    deps.telemetry.webhookAnswered(result, (performance.now() - started) / 1000);
  };
  if ('drained' in outcome && !outcome.drained) res.shouldKeepAlive = false;
  if (outcome.kind !== 'complete' && outcome.kind !== 'too_large')
    return tell(outcome.kind, failureText(texts[outcome.kind], processId));
  const known = await intake.give(webhookOf(arrival, outcome, deps.clock.now()));
  if (known === null) return tell('unavailable', failureText(texts.unstored, processId));
  tell(known.success ? 'accepted' : 'refused', receptionText(known, performance.now() - started), known.limit);
}

/** The sender did nothing wrong, and most do not repeat what was answered 200: somebody has to ask for it again. */
function missed(deps: WebhookDeps, arrival: Arrival, reason: 'unavailable' | 'overloaded'): void {
  const { address, processId, client } = arrival;
  deps.telemetry.webhookMissed();
  deps.missed.add({ _id: processId, at: isoTime(deps.clock.now()), ...address, address: client, reason });
}

type Handed = Extract<BodyOutcome, { kind: 'complete' | 'too_large' }>;

function webhookOf({ req, address, processId, client }: Arrival, outcome: Handed, now: number): ReceivedWebhook {
  const refused = refusal(req, outcome);
  return {
    process_id: processId,
    gateway: address.gateway,
    connection: address.connection,
    headers: forwardedHeaders(req.rawHeaders, address.gateway),
    body: outcome.kind === 'complete' && refused === null ? outcome.body : empty,
    received_at: isoTime(now),
    address: client,
    refused,
  };
}

const empty = Buffer.alloc(0);

/** Why the edge refuses a webhook (decisions.md section 6, "Limits"); intake writes it down. */
function refusal(req: IncomingMessage, outcome: Handed): string | null {
  if (outcome.kind === 'too_large') return 'too_large';
  return isUnpacked(req.headers['content-encoding']) ? null : 'content_encoding';
}

function answer(res: ServerResponse, requestId: string, text: string, limit?: WebhookLimit): void {
  if (res.headersSent || res.destroyed) return;
  const length = Buffer.byteLength(text);
  // A flat list that nothing was set before: node writes it as it is.
  res.writeHead(200, [
    'X-Request-Id',
    requestId,
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    String(length),
    'Cache-Control',
    'no-store',
    'X-Content-Type-Options',
    'nosniff',
    ...(limit ? limitHeaders(limit) : []),
  ]);
  res.write(text, length === text.length ? 'latin1' : 'utf8');
  if (res.shouldKeepAlive || res.req.complete) endLater(res);
  else endWhenRead(res);
}

let ending: ServerResponse[] = [];

/** Ends the response when what it wrote, in one piece with its head, has gone out: ending it at once would add an empty piece to gather. */
function endLater(res: ServerResponse): void {
  if (ending.length === 0) setImmediate(endAll);
  ending.push(res);
}

function endAll(): void {
  const due = ending;
  ending = [];
  for (const res of due) res.end();
}
