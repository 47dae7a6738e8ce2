import { counted, type Reception } from '@order-automation/contracts';
import { answerTo, type Refusal } from '../gateways/refusal';

/** What became of a received webhook. */
export type Outcome =
  /** Stored; its effect follows. `pending`: nothing is evaluated before the wallet confirms it, or the pause ends. */
  | { readonly kind: 'accepted'; readonly events: number; readonly pending: null | 'verifying' | 'held' }
  /** Every event of it is stored already; `first` is the process of the first copy. */
  | { readonly kind: 'duplicate'; readonly first: string }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'not_stored' };

export const notStored: Outcome = { kind: 'not_stored' };

const unstored = 'The webhook could not be stored. Please send it again.';

/** Section 4.3 of the specification, rules 2 and 3. */
export function receptionOf(outcome: Outcome, processId: string): Reception {
  const failure = { success: false, process_id: processId, events_processed: 0, duplicate: false };
  switch (outcome.kind) {
    case 'accepted':
      return { ...failure, success: true, message: acceptedText(outcome), events_processed: outcome.events };
    case 'duplicate': {
      const message = '0 events processed: this webhook was received before';
      return { success: true, message, process_id: outcome.first, events_processed: 0, duplicate: true };
    }
    case 'refused':
      return { ...failure, message: answerTo(outcome.refusal) };
    case 'not_stored':
      return { ...failure, message: unstored, unstored: true };
    default:
      return outcome satisfies never;
  }
}

const acceptedText = ({ events, pending }: Extract<Outcome, { kind: 'accepted' }>): string =>
  `${counted(events, 'event')} ${pending === null ? 'processed' : waits[pending]}`;

const waits = {
  verifying: 'stored; evaluation follows when the wallet has confirmed it',
  held: 'stored; evaluation follows when this endpoint is resumed',
} as const;
