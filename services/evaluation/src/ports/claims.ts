import { batcher, type Clock, leaseRenewal } from '@order-automation/service';
import type { EvaluationDocument } from '../evaluation-document';
import { type Evaluations, leaseTime } from '../evaluations';
import { LeaseLost } from '../failures';

/** Who works on an event: its document, held by a lease with a fence. */
export interface Claims {
  /** The document of an event that was seen before. */
  known(eventId: string): Promise<EvaluationDocument | null>;
  /**
   * Stores the document as it is. The first time that is the claim: false when another process has it. Afterwards it rejects with LeaseLost when
   * another process has taken the event over. `leaseUntil`, in milliseconds since the epoch, is when others may take it over.
   */
  save(document: EvaluationDocument, leaseUntil?: number): Promise<boolean>;
  /** Does the work, and renews the lease of the document as long as it lasts. */
  holding<Result>(document: EvaluationDocument, work: () => Promise<Result>): Promise<Result>;
}

const maxItems = 64;
const concurrency = 8;

export function claimsPort(evaluations: Evaluations, clock: Clock): Claims {
  const group = { maxItems, concurrency };
  const { add: known } = batcher<string, EvaluationDocument | null>({
    ...group,
    run: async (ids) => {
      const found = new Map((await evaluations.byIds(ids)).map((document) => [document._id, document]));
      return ids.map((id) => found.get(id) ?? null);
    },
  });
  const { add: insert } = batcher<EvaluationDocument, boolean>({ ...group, run: evaluations.insert });
  const { add: replace } = batcher<EvaluationDocument, void>({
    ...group,
    run: async (documents) => {
      if (!(await evaluations.replace(documents))) throw new LeaseLost(documents.map(({ _id }) => _id).join(', '));
    },
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
    known,
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
