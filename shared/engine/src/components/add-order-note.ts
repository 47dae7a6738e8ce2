import type { Action } from '../component';
import { placeholderNames, placeholderViolations, template } from '../placeholders';

export type AddOrderNoteSettings = { note_text: string; is_customer_note?: boolean; add_timestamp?: boolean };

/** `[2026-11-21 10:00:00 UTC] `, from milliseconds since the epoch. */
function stamp(now: number): string {
  return `[${new Date(now).toISOString().slice(0, 19).replace('T', ' ')} UTC] `;
}

function compile({
  note_text,
  is_customer_note = false,
  add_timestamp = false,
}: AddOrderNoteSettings): ReturnType<Action['compile']> {
  const render = template(note_text);
  const label = is_customer_note ? 'add a note to the customer' : 'add a private note';
  return (situation) => {
    const note = (add_timestamp ? stamp(situation.now) : '') + render(situation);
    return {
      command: { kind: 'add_note', note, customer_note: is_customer_note },
      describe: { message: `${label}: ${note}`, changes: [{ field: 'notes', from: null, to: note }] },
    };
  };
}

/** Writes a note on the order; placeholders are filled in when the rule runs. */
export const addOrderNote: Action<AddOrderNoteSettings> = {
  kind: 'secondary',
  id: 'add_order_note',
  label: 'Add order note',
  description: 'Adds a note to the order, private or to the customer.',
  edition: 'default',
  isDefault: false,
  changesOrder: true,
  schema: {
    type: 'object',
    title: 'Add order note',
    properties: {
      note_text: {
        type: 'string',
        title: 'Note',
        description: `The text of the note. Placeholders: ${placeholderNames.map((name) => `{{${name}}}`).join(' ')}`,
        minLength: 1,
        maxLength: 5000,
      },
      is_customer_note: {
        type: 'boolean',
        title: 'Note to the customer',
        description: 'The customer can read the note; otherwise it is private.',
        default: false,
      },
      add_timestamp: {
        type: 'boolean',
        title: 'Add time',
        description: 'Put the time (UTC) before the text.',
        default: false,
      },
    },
    required: ['note_text'],
    additionalProperties: false,
  },
  violations: ({ note_text }) => placeholderViolations('note_text', note_text),
  compile,
};
