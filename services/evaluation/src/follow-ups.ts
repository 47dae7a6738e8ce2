import { type EvaluationDocument, newDocument, taskOf } from './evaluation-document';
import type { FollowUps } from './finish';
import { occurrenceOfChange, occurrenceOfRefund } from './occurrence';
import type { Claims } from './ports/claims';
import type { RuleCache } from './rule-cache';
import { type Task, taskOfChange, taskOfRefund } from './task';

export type FollowUpDeps = {
  readonly claims: Claims;
  readonly rules: Pick<RuleCache, 'current'>;
  /** Never rejects for what belongs to the event. */
  readonly attempt: (task: Task, document: EvaluationDocument) => Promise<unknown>;
};

/**
 * Evaluates what the steps of an event changed. The claims are stored before the event is done: when this process dies, the sweep takes them
 * up. The shop publishes nothing of it.
 */
export function followUpsOf({ claims, rules, attempt }: FollowUpDeps): FollowUps & { idle(): Promise<void> } {
  const running = new Set<Promise<unknown>>();
  const start = (document: EvaluationDocument): void => {
    const run: Promise<unknown> = attempt(taskOf(document), document)
      .catch(() => undefined)
      .finally(() => running.delete(run));
    running.add(run);
  };
  return {
    claim: async ({ changes }) => {
      const tasks = changes.map((change) => (change.kind === 'refunded' ? taskOfRefund(change) : taskOfChange(change)));
      const heard = tasks.filter(({ subject }) => {
        const occurrence =
          subject.kind === 'change'
            ? occurrenceOfChange(subject.change)
            : subject.kind === 'refund'
              ? occurrenceOfRefund(subject.refund)
              : null;
        return occurrence !== null && rules.current().forOccurrence(occurrence).length > 0;
      });
      const claimed: EvaluationDocument[] = [];
      for (const document of heard.map(newDocument)) if (await claims.save(document)) claimed.push(document);
      return claimed;
    },
    start: (claimed) => {
      for (const document of claimed) start(document);
    },
    idle: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
