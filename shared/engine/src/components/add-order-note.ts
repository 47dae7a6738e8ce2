import { secondaryAction } from '../component';
import { placeholderList, placeholderViolations, template } from '../placeholders';
import { flag, settingsOf, text } from '../settings-schema';

type AddOrderNoteSettings = { note_text: string; is_customer_note?: boolean; add_timestamp?: boolean };

/** `[2026-11-21 10:00:00 UTC] `, from milliseconds since the epoch. */
const stamp = (now: number): string => `[${new Date(now).toISOString().slice(0, 19).replace('T', ' ')} UTC] `;

/** Writes a note on the order; placeholders are filled in when the rule runs. */
export const addOrderNote = secondaryAction<AddOrderNoteSettings>({
  id: 'add_order_note',
  label: 'Add order note',
  description: 'Adds a note to the order, private or visible to the customer.',
  edition: 'default',
  schema: settingsOf({
    note_text: text('Note', `The text of the note. Placeholders: ${placeholderList}`, 5000),
    is_customer_note: flag('Visible to the customer', 'The customer can read the note; otherwise it is private.'),
    add_timestamp: flag('Add time', 'Start the note with the time (UTC).'),
  }),
  violations: ({ note_text }) => placeholderViolations('note_text', note_text),
  compile: ({ note_text, is_customer_note = false, add_timestamp = false }) => {
    const render = template(note_text);
    const label = is_customer_note ? 'add a note to the customer' : 'add a private note';
    return (situation) => {
      const note = (add_timestamp ? stamp(situation.now) : '') + render(situation);
      return {
        effect: { kind: 'order', command: { kind: 'add_note', note, customer_note: is_customer_note } },
        describe: { message: `${label}: ${note}`, changes: [{ field: 'notes', from: null, to: note }] },
      };
    };
  },
});
