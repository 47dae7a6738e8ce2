import { genericTypes } from '@order-automation/contracts';
import { conditionTable, refusesSettings } from '../../test/condition-table';
import { facts, occurrence } from '../../test/fixtures';
import { eventType } from './event-type';

const on = (type: ReturnType<typeof occurrence>['type']) => facts({ occurrence: occurrence({ type }) });

conditionTable(eventType, [
  ['is', { event_types: ['payment_completed'] }, on('payment_completed'), true],
  ['is another', { event_types: ['payment_failed'], operator: 'is' }, on('payment_completed'), false],
  ['is not', { event_types: ['payment_failed'], operator: 'is_not' }, on('payment_completed'), true],
  ['is not, but is', { event_types: ['payment_completed'], operator: 'is_not' }, on('payment_completed'), false],
  ['an event without a generic type', { event_types: ['payment_completed'] }, on(null), false],
  [
    'is not, of an event without a generic type',
    { event_types: ['payment_failed'], operator: 'is_not' },
    on(null),
    true,
  ],
  ['a change of the shop', { event_types: ['order_created'] }, on('order_status_changed'), false],
  ['no event at all', { event_types: ['payment_completed'] }, facts({ occurrence: null }), 'hopeless'],
]);
refusesSettings(eventType, [{}, { event_types: [] }, { event_types: ['charge_succeeded'] }]);

test('knows the whole generic vocabulary and nothing else', () => {
  const { properties } = eventType.schema as { properties: { event_types: { items: { enum: string[] } } } };
  expect(properties.event_types.items.enum).toEqual(genericTypes);
});
