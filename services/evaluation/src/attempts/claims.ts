import { type Clock, leaseRenewal } from '@order-automation/service';
import type { EvaluationDocument } from '../evaluation-document';
import { type Evaluations, leaseTime } from './evaluations';
import { LeaseLost } from './failures';
import { findInBatches, inBatches } from './in-batches';

/** Who works on an event: its document, held by a lease with a fence. */
export interface Claims {
  known(eventId: string): Promise<EvaluationDocument | null>;
  /**
   * Stores the document as it is. The first time that is the claim: false when another process has it. Afterwards it rejects with LeaseLost when
   * another process has taken the event over. `leaseUntil`, in milliseconds since the epoch, is when others may take it over.
   */
  save(document: EvaluationDocument, leaseUntil?: number): Promise<boolean>;
  /** Does the work, and renews the lease of the document as long as it lasts. */
  holding<Result>(document: EvaluationDocument, work: () => Promise<Result>): Promise<Result>;
}

export function claimsPort(evaluations: Evaluations, clock: Clock): Claims {
  const insert = inBatches(evaluations.insert);
  const replace = inBatches<EvaluationDocument, void>(async (documents) => {
    if (!(await evaluations.replace(documents))) throw new LeaseLost(documents.map(({ _id }) => _id).join(', '));
  });

  const holding = leaseRenewal<EvaluationDocument>(leaseTime, async (held) => {
    const now = clock.now();
    // Of those that are stored, the leases that no write has renewed lately.
    const old = held.filter(
      ({ fence, state, due }) => fence > 0 && state === 'open' && due !== undefined && due < now + (2 / 3) * leaseTime,
    );
    await evaluations.renew(old, now);
    for (const document of old) if (document.state === 'open') document.due = now + leaseTime;
  });

  return {
    known: findInBatches(evaluations.documents),
    save: async (document, leaseUntil = clock.now() + leaseTime) => {
      if (document.state === 'open') document.due = leaseUntil;
      if (document.fence > 0) {
        await replace(document);
        return true;
      }
      const isOurs = await insert({ ...document, fence: 1 });
      if (isOurs) document.fence = 1;
      return isOurs;
    },
    holding,
  };
}
