import { z } from 'zod';
import { nearPageInput, paginationSchema } from '../audit-entry';
import { askedBy, exchange, filteredJob, periodInput, time, withoutInput } from '../exchange';

export const deliveryStateSchema = z.enum(['pending', 'delivered', 'failed']);
export const deliveryKindSchema = z.enum(['webhook', 'email']);

/** An outbound call or an e-mail, as decisions.md section 11 lists it. `target` is the address without its query, or the recipient. */
const deliverySchema = z.object({
  id: z.string(),
  kind: deliveryKindSchema,
  state: deliveryStateSchema,
  target: z.string(),
  rule_id: z.int(),
  order_id: z.int().nullable(),
  process_id: z.string(),
  /** Tries in which a call or an e-mail left us; neither calls that are held back because the host fails nor those that we may not make. */
  attempts_made: z.int(),
  next_attempt_at: time.nullable(),
  /** Why it is not delivered. */
  reason: z.string().nullable(),
  created_at: time,
  ended_at: time.nullable(),
  resends: z.int(),
  /** Who asked for the last resend. */
  resent_by: z.string().nullable(),
});
export type DeliveryRecord = z.infer<typeof deliverySchema>;

/** One try. `answer` is the first 2 KiB of the body that came back, without secrets. */
const deliveryAttemptSchema = z.object({
  at: time,
  took_ms: z.int(),
  status: z.int().nullable(),
  error: z.string().nullable(),
  answer: z.string().nullable(),
});
export type DeliveryAttempt = z.infer<typeof deliveryAttemptSchema>;

const deliveryDetailsSchema = deliverySchema.extend({
  rule_name: z.string(),
  action: z.object({ index: z.int(), id: z.string(), label: z.string() }),
  idempotency_key: z.string(),
  /** What its receiver sees, without secrets and what the address has behind a question mark; null once it was erased. */
  request: z.string().nullable().optional(),
  /** Oldest first: the first three and the latest, where there were very many. */
  attempts: z.array(deliveryAttemptSchema),
});

/** All must pass, times are inclusive and those of `created_at`. */
export const deliveryFilterSchema = z.object({
  state: deliveryStateSchema.optional(),
  kind: deliveryKindSchema.optional(),
  rule_id: z.int().optional(),
  order_id: z.int().optional(),
  process_id: z.string().max(100).optional(),
  ...periodInput,
});
export type DeliveryFilter = z.infer<typeof deliveryFilterSchema>;

/** A job that sends again what passes a filter. */
export const resendJobSchema = z.object({ ...filteredJob, filter: deliveryFilterSchema, resent: z.int() });
export type ResendJob = z.infer<typeof resendJobSchema>;

const one = z.object({ id: z.string().max(100) });

export const deliveryRequests = {
  /** Newest first; `with_reasons` counts how many of them there are of each reason, in the newest 10,000. */
  'evaluation.delivery.list.v1': exchange(
    { filter: deliveryFilterSchema, ...nearPageInput, with_reasons: z.boolean().optional() },
    {
      deliveries: z.array(deliverySchema),
      pagination: paginationSchema,
      reasons: z.array(z.object({ reason: z.string(), count: z.int() })).optional(),
    },
  ),
  /**
   * What waits and what was given up. `stuck` are the pending ones that have been in the queue for more than ten minutes; `since` is when the
   * oldest of them came, `hosts` where they go to (a mail server is one), at most 100, those that have waited longest first.
   */
  'evaluation.figures.get.v1': withoutInput({
    pending: z.int(),
    failed: z.int(),
    stuck: z.object({
      total: z.int(),
      since: time.nullable(),
      hosts: z.array(z.object({ host: z.string(), total: z.int(), since: time })),
    }),
  }),
  /** 404 `svc_delivery_not_found`, as of the next one. */
  'evaluation.delivery.get.v1': exchange(one, { delivery: deliveryDetailsSchema }),
  /** Sends it again under the key that it has, in whichever state it is. 409 `svc_delivery_erased` when its content was erased. */
  'evaluation.delivery.resend.v1': exchange(one.extend(askedBy), { delivery: deliverySchema }),
  /** The same for those that pass a filter, the failed ones unless it names a state; `preview` only counts. `job` is what resends them. */
  'evaluation.deliveries.resend.v1': exchange(
    { filter: deliveryFilterSchema, preview: z.boolean(), ...askedBy },
    { matching: z.int(), job: resendJobSchema.optional() },
  ),
  /** The latest first, up to 100. */
  'evaluation.resend-job.list.v1': withoutInput({ jobs: z.array(resendJobSchema) }),
  /** 404 `svc_resend_not_found`, as of the next one. */
  'evaluation.resend-job.get.v1': exchange(one, { job: resendJobSchema }),
  /** Those that were sent again stay so; the rest are left alone. */
  'evaluation.resend-job.cancel.v1': exchange(one.extend(askedBy), { job: resendJobSchema }),
  /**
   * Removes what was sent to or about the person, address, content, answers, and what was recorded of events. That it was sent stays. Pending
   * deliveries and events keep theirs until they end (`unfinished`). A call with `from` walks a part, as `shop.person.erase.v1` does.
   */
  'evaluation.person.erase.v1': exchange(
    { email: z.string().nullable(), customer_id: z.int().nullable(), from: z.string().optional() },
    { erased: z.int(), unfinished: z.int(), next: z.string().nullable().optional() },
  ),
} as const;
