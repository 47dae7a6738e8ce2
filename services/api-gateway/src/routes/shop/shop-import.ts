import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Cause,
  type ImportProgress,
  type ImportRefusal,
  importProgressSchema,
  newId,
  type RequestOutput,
  ServiceError,
} from '@order-automation/contracts';
import { z } from 'zod';
import { causeOf, type Edge } from '../../http/edge';
import { type Batch, type NdjsonLine, ndjsonBatches } from '../../http/ndjson';
import { booleanText, callerId, idOfKey } from '../../http/parameters';
import { route, streamOf } from '../../http/route';
import { errorAnswer } from '../../http-server/answers';

const shop = { tag: 'Shop', access: { needs: 'manage_shop' } } as const;

const gibibyte = 1024 ** 3;
const limits = { lines: 500, bytes: 1024 * 1024, line: 1024 * 1024 } as const;
/** Milliseconds that the shop has for a batch, and how long a batch that it does not answer is tried again. */
const batchTimeout = 20_000;
const triesFor = 60_000;
const pause = 500;
/** Milliseconds between two lines of progress. */
const progressEvery = 1_000;
/** Refused lines that the answer names; the others are counted. */
const maxNamed = 1_000;

/** decisions.md section 5: any platform hands its orders and products over. */
export const shopImportRoutes = [
  route('POST /v1/shop/import', 'Import products, customers, orders and the like', {
    ...shop,
    query: z.object({ id: callerId.optional(), events: booleanText.default(true) }),
    rawBody: { types: ['application/x-ndjson', 'application/ndjson'], maxBytes: 16 * gibibyte },
    ...streamOf('application/x-ndjson'),
    errors: ['svc_import_conflict', 'svc_shop_elsewhere'],
    handle: async (call, edge) => {
      const key = call.header('idempotency-key');
      const id = call.query.id ?? (key === undefined ? newId('imp', edge.now()) : idOfKey(key));
      const sending = { id, events: call.query.events, cause: causeOf(call, edge), hold: call.hold };
      return { body: withErrors(id, imported(edge, sending, call.bytes())) };
    },
  }),
  route('GET /v1/shop/imports/{id}', 'Read how far an import is', {
    ...shop,
    params: z.object({ id: callerId }),
    answers: { 200: importProgressSchema },
    errors: ['svc_import_not_found', 'svc_shop_elsewhere'],
    handle: async ({ params, ask }) => {
      const { progress } = await ask('shop.import.get.v1', params);
      if (progress) return { body: progress };
      throw new ServiceError(404, 'svc_import_not_found', `Nothing was imported under the id ${params.id}.`);
    },
  }),
] as const;

type Sending = {
  readonly id: string;
  readonly events: boolean;
  readonly cause: Cause;
  readonly hold: (bytes: number) => Promise<() => void>;
};

async function* imported(edge: Edge, sending: Sending, bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const { id } = sending;
  const known = (await edge.ask('shop.import.get.v1', { id }, batchTimeout)).progress;
  const hash = createHash('sha256');
  const position = { lines: 0, toSkip: known?.lines ?? 0 };
  let progress: ImportProgress | null = known;
  let named = 0;
  let saidAt = edge.now();
  for await (const batch of ndjsonBatches(bytes, limits)) {
    const release = await sending.hold(batch.bytes);
    try {
      const lines = afterSkipping(batch, position, hash, known);
      if (lines.length === 0) continue;
      const answer = await written(edge, sending, lines, { after: position.lines - lines.length, hash, last: false });
      progress = answer.progress;
      const refusals = answer.refusals.slice(0, maxNamed - named);
      named += refusals.length;
      if (refusals.length === 0 && edge.now() - saidAt < progressEvery) continue;
      saidAt = edge.now();
      yield progressLine(false, progress, refusals);
    } finally {
      release();
    }
  }
  if (position.lines < position.toSkip) throw otherLines(id);
  if (progress?.state !== 'done')
    progress = (await written(edge, sending, [], { after: position.lines, hash, last: true })).progress;
  yield progressLine(true, progress, []);
}

type Hash = ReturnType<typeof createHash>;

/** The lines that were not seen through the last time. Those that were must be the same ones. */
function afterSkipping(
  { lines }: Batch,
  position: { lines: number; readonly toSkip: number },
  hash: Hash,
  known: ImportProgress | null,
): readonly NdjsonLine[] {
  const skipped = Math.min(Math.max(position.toSkip - position.lines, 0), lines.length);
  for (const [index, { text }] of lines.entries()) {
    hash.update(text).update('\n');
    const isLastSkipped = position.lines + index + 1 === position.toSkip;
    if (isLastSkipped && hash.copy().digest('hex') !== known?.digest) throw otherLines(known?.id ?? '');
  }
  position.lines += lines.length;
  return lines.slice(skipped);
}

function otherLines(id: string): ServiceError {
  const message = `The import ${id} began with other lines. Send the same file again, or another one under another id.`;
  return new ServiceError(409, 'svc_import_conflict', message);
}

/** Hands lines to the shop; what it does not answer is handed over again, which does no harm. */
async function written(
  edge: Edge,
  { id, events, cause }: Sending,
  lines: readonly NdjsonLine[],
  { after, hash, last }: { readonly after: number; readonly hash: Hash; readonly last: boolean },
): Promise<RequestOutput<'shop.import.v2'>> {
  const broken = lines.flatMap(({ problem }, index): ImportRefusal[] =>
    problem === undefined ? [] : [{ line: after + index + 1, reason: problem }],
  );
  const digest = hash.copy().digest('hex');
  const input = { id, after, lines: lines.map(({ text }) => text), broken, digest, last, events, cause };
  for (const until = edge.now() + triesFor; ; ) {
    try {
      return await edge.ask('shop.import.v2', input, batchTimeout);
    } catch (error) {
      // An answer that was lost, or the last batch of a sender that has gone: these very lines are written.
      const known = await edge.ask('shop.import.get.v1', { id }, batchTimeout).catch(() => undefined);
      const progress = known?.progress;
      if (progress?.lines === after + lines.length && progress.digest === digest) return { progress, refusals: [] };
      if ((error instanceof ServiceError && error.status < 500) || edge.now() > until) throw error;
      await sleep(pause);
    }
  }
}

function progressLine(
  done: boolean,
  { id, lines, imported, refused, imported_by_type }: ImportProgress,
  refusals: readonly ImportRefusal[],
): string {
  return `${JSON.stringify({ done, id, lines, imported, refused, imported_by_type, refusals })}\n`;
}

/** What ends an import that has begun to answer is its last line, in the documented shape of errors. */
async function* withErrors(id: string, pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let begun = false;
  try {
    for await (const piece of pieces) {
      begun = true;
      yield piece;
    }
  } catch (error) {
    if (!begun) throw error;
    yield `${JSON.stringify({ done: false, id, error: errorAnswer(error).body })}\n`;
  }
}
