import type { GenericType } from '@order-automation/contracts';
import { genericTypes } from '@order-automation/contracts';
import { oneOf } from '../one-of';
import { choice, choiceList, settingsOf } from '../settings-schema';

const operators = ['is', 'is_not'] as const;
type EventTypeSettings = { event_types: GenericType[]; operator?: (typeof operators)[number] };

/** The generic vocabulary alone (section 6 of the specification); `webhook_event` knows the ids of gateways. */
export const eventType = oneOf<EventTypeSettings>({
  id: 'event_type',
  label: 'Event type',
  description: 'Passes when the event that triggered the rule has, or does not have, one of the types.',
  edition: 'extended',
  schema: settingsOf({
    event_types: choiceList('Event types', 'What happened, whichever gateway reported it.', genericTypes),
    operator: choice('Operator', 'Whether the event must have one of the types, or none.', operators),
  }),
  thing: 'event type',
  values: ({ event_types }) => event_types,
  isNot: ({ operator }) => operator === 'is_not',
  read: ({ occurrence }) => occurrence?.type ?? null,
  field: (_settings, { occurrence }) => (occurrence === null ? null : 'occurrence.type'),
});
