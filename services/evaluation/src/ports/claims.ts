import type { Clock } from '@order-automation/service';
import { type EvaluationDocument, type Evaluations, leaseTime } from '../evaluations';
import { LeaseLost } from '../failures';
import { coalesced } from './coalesce';

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
  close(): void;
}

const maxItems = 64;
const concurrency = 8;
/** Milliseconds between two renewals: a third of the lease. */
const renewEvery = leaseTime / 3;

export function claimsPort(evaluations: Evaluations, clock: Clock): Claims {
  const group = { maxItems, concurrency };
  const known = coalesced<string, EvaluationDocument | null>({
    ...group,
    send: async (ids) => {
      const found = new Map((await evaluations.byIds(ids)).map((document) => [document._id, document]));
      return ids.map((id) => found.get(id) ?? null);
    },
  });
  const insert = coalesced<EvaluationDocument, boolean>({ ...group, send: evaluations.insert });
  const replace = coalesced<EvaluationDocument, void>({
    ...group,
    send: async (documents) => {
      if (!(await evaluations.replace(documents))) throw new LeaseLost(documents.map(({ _id }) => _id).join(', '));
      return documents.map(() => undefined);
    },
  });

  const held = new Set<EvaluationDocument>();
  /** A renewal that fails is tried again at the next turn; a lease that is lost shows at the next write. */
  const renewal = setInterval(() => {
    const stored = [...held].filter(({ fence, state, due }) => fence > 0 && state === 'open' && due !== undefined);
    const old = stored.filter(({ due = 0 }) => due < clock.now() + 2 * renewEvery);
    const until = clock.now() + leaseTime;
    if (old.length > 0)
      evaluations.renew(old, until).then(
        () => {
          for (const document of old) if (held.has(document)) document.due = until;
        },
        () => undefined,
      );
  }, renewEvery);
  renewal.unref();

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
    holding: async (document, work) => {
      held.add(document);
      try {
        return await work();
      } finally {
        held.delete(document);
      }
    },
    close: () => clearInterval(renewal),
  };
}
