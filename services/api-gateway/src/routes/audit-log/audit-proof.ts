import { auditRequests } from '@order-automation/contracts';
import { z } from 'zod';
import { idText, wholeNumberText } from '../../http/parameters';
import { route } from '../../http/route';

const reader = { tag: 'Audit log', access: { needs: 'view_shop_reports' } } as const;
const minutes = 60_000;

/** Proof that the log is whole (decisions.md section 7). */
export const auditProofRoutes = [
  route('GET /v1/audit-log/verify', 'Prove the log whole', {
    ...reader,
    description:
      'Checks every entry and every seal of the chain from `from_id` to `to_id`, or of the whole log. Names the first id that was edited, removed or inserted. `checked` counts entries, with those of which deletion has left the digest (`deleted`); of `erased` ones a person was erased, and no seal covers the `unsealed` ones of the last half minute yet.',
    query: z.object({ from_id: idText.optional(), to_id: idText.optional() }),
    answers: {
      200: auditRequests['audit.log.verify.v1'].output.omit({ next_id: true }).required(),
    },
    timeout: 10 * minutes,
    handle: async ({ query: { from_id = null, to_id = null }, ask, signal }) => {
      const counts = { checked: 0, deleted: 0, erased: 0, unsealed: 0 };
      for (let next = from_id; ; ) {
        const { next_id, ...result } = await ask('audit.log.verify.v1', { from_id: next, to_id });
        for (const name of ['checked', 'deleted', 'erased', 'unsealed'] as const) counts[name] += result[name] ?? 0;
        if (next_id === null || signal.aborted) return { body: { ...result, ...counts } };
        next = next_id;
      }
    },
  }),
  route('GET /v1/audit-log/heads', 'List signed heads of the log', {
    ...reader,
    description:
      'Each head is a checkpoint (C2SP tlog-checkpoint) over everything before it. One that is kept elsewhere shows later that the log was not rewritten; `verifier_key` checks its signature.',
    query: z.object({ limit: wholeNumberText(1, 100).default(20) }),
    answers: { 200: auditRequests['audit.head.list.v1'].output },
    handle: async ({ query, ask }) => ({ body: await ask('audit.head.list.v1', query) }),
  }),
] as const;
