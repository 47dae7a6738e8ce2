import type { RuleData } from '@order-automation/contracts';

/** The rule that the documentation shows: a paid order of more than 50 is completed, with a note. */
export const exampleRule: RuleData = {
  trigger: { id: 'order_processing', settings: {} },
  conditions: [{ id: 'order_total', settings: { operator: 'gt', amount: 50 } }],
  primaryAction: { id: 'change_status_to_completed', settings: {} },
  secondaryActions: [{ id: 'add_order_note', settings: { note_text: 'Completed by a rule.' } }],
};
