import type { ActionOutcome } from './evaluation-document';

/** Done once, by an earlier try of the same event: the log does not have it yet. */
export const isResumed = (result: ActionOutcome | null, process_id: string): boolean =>
  result?.status === 'already_applied' && result.by === process_id;
