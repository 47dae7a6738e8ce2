import type { RuleCache } from '../deciding/rule-cache';
import { type EvaluationDocument, newDocument, taskOf } from '../evaluation-document';
import { occurrenceOfShop } from '../history/occurrence';
import { type Task, taskOfShop } from '../task';
import type { Claims } from './claims';
import type { FollowUps } from './finish';

export type FollowUpDeps = {
  readonly claims: Claims;
  readonly rules: Pick<RuleCache, 'current'>;
  /** Never rejects for what belongs to the event. */
  readonly attempt: (task: Task, document: EvaluationDocument) => Promise<unknown>;
};

/** What rules listen to of these. */
export function heardTasks(changes: EvaluationDocument['changes'], rules: Pick<RuleCache, 'current'>): Task[] {
  const heard = changes.filter((change) => {
    const occurrence = occurrenceOfShop(change);
    return occurrence !== null && rules.current().forOccurrence(occurrence).length > 0;
  });
  return heard.map(taskOfShop);
}

/** Evaluates what an event's steps changed. The claims are stored before the event is done, for the sweep; the shop publishes nothing of it. */
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
      const claimed: EvaluationDocument[] = [];
      for (const task of heardTasks(changes, rules)) {
        const document = newDocument(task);
        if (await claims.save(document)) claimed.push(document);
      }
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
