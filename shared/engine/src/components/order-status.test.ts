import { conditionTable, refusesSettings } from '../../test/condition-table';
import { context, facts } from '../../test/fixtures';
import { orderStatus } from './order-status';

const inStatus = (status: string) => facts({ context: context({ status }) });

conditionTable(orderStatus, [
  ['the status is one of them', { statuses: ['on-hold', 'processing'] }, inStatus('processing'), true],
  ['the status is none of them', { statuses: ['on-hold'] }, inStatus('processing'), false],
  ['with the prefix of the shop', { statuses: ['wc-processing'] }, inStatus('processing'), true],
  ['a status of its own', { statuses: ['wc-in-transit'] }, inStatus('in-transit'), true],
]);
refusesSettings(orderStatus, [
  {},
  { statuses: [] },
  { statuses: ['a', 'a'] },
  { statuses: [1] },
  { statuses: ['a'], more: 1 },
]);

test('is stored without prefixes, each once', () => {
  const stored = orderStatus.normalise?.({ statuses: ['wc-on-hold', 'on-hold', 'WC-Completed'] });
  expect(stored).toEqual({ statuses: ['on-hold', 'completed'] });
});

test('what it says names a status as people do, and that of a plugin by its key', () => {
  const judged = orderStatus.compile({ statuses: ['on-hold', 'in-transit'] })(inStatus('on-hold'));
  expect(judged).toMatchObject({ expected: 'on hold or in-transit', actual: 'on hold' });
});
