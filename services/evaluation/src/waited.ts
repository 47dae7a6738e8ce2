import type { NewAuditEntry } from '@order-automation/contracts';
import { waitingEntry } from './entries';
import type { EvaluationDocument } from './evaluation-document';

/** The first entry of an event that has waited for its order, handed over again under its uid: the log learns the order of it. */
export function waitedEntry(document: EvaluationDocument): NewAuditEntry[] {
  const { subject, looks, order_id, wait_until } = document;
  if (subject?.kind !== 'event' || looks === undefined || wait_until === undefined || order_id === null) return [];
  return [waitingEntry({ ...document, looks: 1 }, subject.event.orderReference, wait_until)];
}
