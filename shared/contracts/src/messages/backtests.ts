import { z } from 'zod';
import { askedBy, exchange, periodInput, time } from '../exchange';
import { editionSchema } from '../rule';
import { judgedEventSchema } from './evaluation';

/** Past events that have something in common. `value` is that of their orders then, each order once, exact for each currency. */
const backtestGroupSchema = z.object({
  events: z.int(),
  orders: z.int(),
  value: z.array(z.object({ currency: z.string(), total: z.string() })),
  /** What would run, and for how many of the events. */
  actions: z.array(z.object({ id: z.string(), label: z.string(), events: z.int() })),
  /** The newest of them. */
  samples: z.array(
    judgedEventSchema
      .omit({ value: true, candidate: true, saved: true })
      .extend({ total: z.string().nullable(), currency: z.string().nullable() }),
  ),
});
export type BacktestGroup = z.infer<typeof backtestGroupSchema>;

/** What a rule would have done with past events. */
const backtestResultSchema = z.object({
  /** For which the rule would have run. */
  matching: backtestGroupSchema,
  /** For which the saved rule would have run; null without a saved rule, as of the next two. */
  saved_matching: backtestGroupSchema.nullable(),
  /** `matching` that the saved rule does not have: without a saved rule all of them. */
  newly_matching: backtestGroupSchema,
  no_longer_matching: backtestGroupSchema.nullable(),
  /** Of which both rules make the same. */
  unchanged: z.object({ matching: z.int(), not_matching: z.int() }),
  /** Of which what a rule asks for was not recorded. */
  unknown: z.int(),
});
export type BacktestResult = z.infer<typeof backtestResultSchema>;

/** A job that tries a rule on past events: its result so far, kept for a day after it ended. */
export const backtestSchema = z.object({
  id: z.string(),
  state: z.enum(['running', 'done', 'cancelled', 'failed']),
  by: z.string(),
  /** Null for a rule that is not saved. */
  rule: z.object({ rule_id: z.int().nullable(), rule_name: z.string(), version: z.int().nullable() }),
  compared_with: z.object({ rule_id: z.int(), version: z.int() }).nullable(),
  /** The newest so many events, or those of a time. */
  last: z.int().nullable(),
  from: time.nullable(),
  to: time.nullable(),
  /** Events to look at, and those that were looked at. */
  total: z.int(),
  looked: z.int(),
  result: backtestResultSchema,
  /** Why it failed. */
  reason: z.string().nullable(),
  started_at: time,
  finished_at: time.nullable(),
});
export type Backtest = z.infer<typeof backtestSchema>;

/** Events of one back-test at most. */
export const maxBacktested = 100_000;

export const backtestRequests = {
  /**
   * Begins to try a rule on past events: `rule_data` that need not be saved, a saved one (`rule_id`, in its present version or in `version`), or changed data
   * of a saved one (both). 404 `svc_rule_not_found`, 400 for a rule that is not valid.
   */
  'debug.backtest.start.v1': exchange(
    {
      rule_data: z.unknown().optional(),
      rule_id: z.int().optional(),
      version: z.int().optional(),
      last: z.int().min(1).max(maxBacktested).optional(),
      ...periodInput,
      ...askedBy,
      edition: editionSchema,
    },
    { job: backtestSchema },
  ),
  /** The latest first, up to 100. */
  'debug.backtest.list.v1': exchange({ edition: editionSchema }, { jobs: z.array(backtestSchema) }),
  /** 404 `svc_backtest_not_found`, as of the next one. */
  'debug.backtest.get.v1': exchange({ id: z.string().max(100), edition: editionSchema }, { job: backtestSchema }),
  'debug.backtest.cancel.v1': exchange(
    { id: z.string().max(100), ...askedBy, edition: editionSchema },
    { job: backtestSchema },
  ),
} as const;
