import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Backtest, backtestSchema, maxBacktested, missingParameters } from '@order-automation/contracts';
import { z } from 'zod';
import type { Edge } from '../../http/edge';
import { present, uncheckedRule } from '../../http/parameters';
import { reply, route } from '../../http/route';
import { errorAnswer } from '../../http-server/answers';
import { answered, debugging } from './debug';

const one = {
  ...debugging,
  params: z.object({ id: z.string().max(100) }),
  example: { params: { id: 'bkt_01KF0A2B3C4D5E6F7G8H9J0KMP' } },
  answers: { 200: z.object({ success: z.boolean(), data: backtestSchema }) },
  errors: ['svc_backtest_not_found'],
} as const;

/** Milliseconds between two lines of progress, and that pro-debug has for one. */
const progressEvery = 250;
const timeout = 2_500;

/** Rules on past events (decisions.md section 8). */
export const backtestRoutes = [
  route('POST /pro/v1/debug-rule/backtest', 'Try a rule on past events', {
    ...debugging,
    description:
      'What a rule would have done with recorded events, by their orders as they were then, and beside it what the saved rule would have done: `rule_data` that need not be saved, a saved rule (`rule_id`, in `version` or as it is), or changed data of a saved one (both). The latest `limit` events (or `last`, the same), by default 1,000, or those `from` and `to` a time. Starts a job, which changes nothing and gives way to webhooks. With `Accept: application/x-ndjson` the answer is the job, a line at each step, until it ends; else it is read at `/pro/v1/debug-rule/backtests/{id}`, where its result stays for a day. Events whose record lacks what the rule asks for are counted as `unknown`.',
    body: z.strictObject({
      rule_data: uncheckedRule.optional(),
      rule_id: z.int().min(1).optional(),
      version: z.int().min(1).optional(),
      limit: z.int().min(1).max(maxBacktested).optional(),
      last: z.int().min(1).max(maxBacktested).optional(),
      from: z.iso.datetime().optional(),
      to: z.iso.datetime().optional(),
    }),
    kind: 'stream',
    produces: ['application/json', 'application/x-ndjson'],
    document: z.object({ success: z.boolean(), data: backtestSchema }),
    answers: { 202: z.custom<AsyncIterable<string>>(), 200: z.custom<AsyncIterable<string>>() },
    errors: ['svc_rule_not_found', 'svc_rule_version_not_found', 'svc_unknown_component', 'svc_validation_failed'],
    example: { body: { rule_id: 1, limit: 100 } },
    handle: async ({ body, identity, ask, header, signal }, edge) => {
      if (body.rule_data === undefined && body.rule_id === undefined) throw missingParameters('rule_data');
      const { limit, last = limit, ...asked } = body;
      const { job } = await ask('debug.backtest.start.v1', {
        ...present({ ...asked, last }),
        by: identity.name,
        edition: edge.edition,
      });
      if (header('accept')?.includes('ndjson') === true)
        return { body: followed(job, edge, signal), headers: { 'Content-Type': 'application/x-ndjson' } };
      return reply(202, Readable.from([JSON.stringify(answered(job).body)]), {
        'Content-Type': 'application/json; charset=utf-8',
        Location: `${edge.basePath}/pro/v1/debug-rule/backtests/${job.id}`,
      });
    },
  }),
  route('GET /pro/v1/debug-rule/backtests', 'List back-tests', {
    ...debugging,
    description: 'The latest 100 of the last day.',
    answers: { 200: z.object({ success: z.boolean(), data: z.array(backtestSchema) }) },
    handle: async ({ ask }, { edition }) => answered((await ask('debug.backtest.list.v1', { edition })).jobs),
  }),
  route('GET /pro/v1/debug-rule/backtests/{id}', 'Read how far a back-test has come, and its result', {
    ...one,
    handle: async ({ params, ask }, { edition }) =>
      answered((await ask('debug.backtest.get.v1', { ...params, edition })).job),
  }),
  route('DELETE /pro/v1/debug-rule/backtests/{id}', 'Cancel a back-test', {
    ...one,
    description: 'Its result so far can still be read.',
    handle: async ({ params, identity, ask }, { edition }) =>
      answered((await ask('debug.backtest.cancel.v1', { ...params, by: identity.name, edition })).job),
  }),
] as const;

/** The job at each step, until it ends or its reader has gone: the job goes on then. */
async function* followed(job: Backtest, { ask, edition }: Edge, signal: AbortSignal): AsyncGenerator<string> {
  let latest = job;
  yield `${JSON.stringify(latest)}\n`;
  while (latest.state === 'running' && !signal.aborted) {
    await sleep(progressEvery);
    try {
      latest = (await ask('debug.backtest.get.v1', { id: job.id, edition }, timeout)).job;
    } catch (error) {
      yield `${JSON.stringify({ id: job.id, error: errorAnswer(error).body })}\n`;
      return;
    }
    yield `${JSON.stringify(latest)}\n`;
  }
}
