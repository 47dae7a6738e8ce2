import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Bus } from '@order-automation/bus';
import { isoTime, newProcessId, type ReceivedWebhook, type Reception } from '@order-automation/contracts';
import { batcher, type Clock } from '@order-automation/service';
import type { Telemetry, WebhookOutcome } from '../telemetry';
import { type WebhookAddress, webhookAddress } from './address';
import { failureText, receptionText } from './answer';
import { type BodyOutcome, collectBody } from './body';
import { forwardedHeaders } from './headers';

/** 0001, step 1. */
const groupItems = 64;
const groupBytes = 512 * 1024;
const groupsUnderWay = 2;
/** Bytes that may wait for intake; past them senders are told at once that nothing was stored. */
const mostWaitingBytes = 32 * 1024 * 1024;
const envelopeBytes = 1024;

export type WebhookDeps = {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  /** Path up to and with `/webhooks/`. */
  readonly prefix: string;
};

export type WebhookReceiver = {
  /** Answers the request when it is a webhook; false leaves it to somebody else. */
  receive(req: IncomingMessage, res: ServerResponse, requestId: string): boolean;
  /** Resolves when intake has answered for everything that was handed to it. */
  idle(): Promise<void>;
};

/**
 * Takes webhooks: reads them, gives each its process id, hands them to intake in groups, and answers 200 with what intake
 * says (section 4.3 of the specification). `success: true` is said by intake alone.
 */
export function webhookReceiver(deps: WebhookDeps): WebhookReceiver {
  const { clock, prefix } = deps;
  const groups = groupsOf(deps);
  return {
    idle: () => groups.idle(),
    receive: (req, res, requestId) => {
      if (req.method !== 'POST') return false;
      const address = webhookAddress(req.url ?? '', prefix);
      if (!address) return false;
      const started = performance.now();
      const processId = newProcessId(clock.now());
      collectBody(req, (outcome) => {
        if (outcome.kind === 'aborted') deps.telemetry.webhookAnswered('aborted', (performance.now() - started) / 1000);
        else handOver(deps, groups, { req, res, address, requestId, started, processId }, outcome);
      });
      return true;
    },
  };
}

type Groups = { add(webhook: ReceivedWebhook): Promise<Reception> | undefined; idle(): Promise<void> };

/** Groups on their way to intake; `add` gives undefined when too much waits already. */
function groupsOf({ bus, telemetry }: WebhookDeps): Groups {
  let waitingBytes = 0;
  const groups = batcher<ReceivedWebhook, Reception>({
    run: async (webhooks) => {
      try {
        return (await bus.request('intake.receive.v1', { webhooks: [...webhooks] }, { given: true })).receptions;
      } catch (error) {
        telemetry.groupLost(webhooks.length, error);
        throw error;
      } finally {
        for (const webhook of webhooks) waitingBytes -= weight(webhook);
      }
    },
    maxItems: groupItems,
    maxBytes: groupBytes,
    size: weight,
    concurrency: groupsUnderWay,
  });
  return {
    add: (webhook) => {
      const bytes = weight(webhook);
      if (waitingBytes + bytes > mostWaitingBytes) return undefined;
      waitingBytes += bytes;
      return groups.add(webhook);
    },
    idle: () => groups.idle(),
  };
}

function weight({ body }: ReceivedWebhook): number {
  return body.length + envelopeBytes;
}

type Arrival = {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly address: WebhookAddress;
  readonly requestId: string;
  readonly started: number;
  readonly processId: string;
};

function handOver(
  { clock, telemetry }: WebhookDeps,
  groups: Groups,
  arrival: Arrival,
  outcome: Exclude<BodyOutcome, { kind: 'aborted' }>,
): void {
  const { res, requestId, started, processId } = arrival;
  if (outcome.kind === 'too_large' && !outcome.drained) res.shouldKeepAlive = false;
  const tell = (told: WebhookOutcome, text: string): void => {
    answer(res, requestId, text);
    telemetry.webhookAnswered(told, (performance.now() - started) / 1000);
  };
  const reception = groups.add(webhookOf(arrival, outcome, clock.now()));
  if (reception === undefined) {
    tell('overloaded', failureText(tooMany, processId));
    return;
  }
  reception.then(
    (known) => tell(known.success ? 'accepted' : 'refused', receptionText(known, performance.now() - started)),
    () => tell('unavailable', failureText(unstored, processId)),
  );
}

const unstored = 'The webhook could not be stored. Please send it again.';
const tooMany = 'The webhook was not stored: too many are waiting. Please send it again.';

function webhookOf(
  { req, address, processId }: Arrival,
  outcome: Exclude<BodyOutcome, { kind: 'aborted' }>,
  now: number,
): ReceivedWebhook {
  const refused = refusal(req, outcome);
  return {
    process_id: processId,
    gateway: address.gateway,
    connection: address.connection,
    headers: forwardedHeaders(req.rawHeaders, address.gateway),
    body: outcome.kind === 'complete' && refused === null ? outcome.body : empty,
    received_at: isoTime(now),
    refused,
  };
}

const empty = Buffer.alloc(0);

/** Why the edge refuses a webhook (decisions.md section 6, "Limits"); intake writes it down. */
function refusal(req: IncomingMessage, outcome: BodyOutcome): string | null {
  if (outcome.kind === 'too_large') return 'too_large';
  const encoding = req.headers['content-encoding'];
  return encoding === undefined || encoding.toLowerCase() === 'identity' ? null : 'content_encoding';
}

function answer(res: ServerResponse, requestId: string, text: string): void {
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
  ]);
  res.write(text, length === text.length ? 'latin1' : 'utf8');
  endLater(res);
}

let ending: ServerResponse[] = [];

/**
 * Ends the response when what it wrote has gone out, as one piece with its head: to end it at once would add an empty piece, and the socket
 * would gather the two.
 */
function endLater(res: ServerResponse): void {
  if (ending.length === 0) setImmediate(endAll);
  ending.push(res);
}

function endAll(): void {
  const due = ending;
  ending = [];
  for (const res of due) res.end();
}
