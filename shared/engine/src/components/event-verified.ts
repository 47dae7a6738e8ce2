import { checked, condition } from '../component';
import { noSettings } from '../settings-schema';

const expected = 'an event whose sender is proven';

/** A change of the shop itself is its own proof. Without an event there is nothing that was proven. */
export const eventVerified = condition({
  id: 'event_verified',
  label: 'Event verified',
  description: 'Passes when the signature or secret of the event proved who sent it.',
  edition: 'extended',
  schema: noSettings,
  compile:
    () =>
    ({ occurrence }) => {
      const pass = occurrence?.authenticated ?? false;
      const actual = occurrence === null ? 'no event' : pass ? 'verified' : 'not verified';
      return checked(pass, expected, actual, `the event is ${actual}`);
    },
  nearest: (_settings, { occurrence }) =>
    occurrence === null ? null : [{ field: 'occurrence.authenticated', from: false, to: true }],
});
