import { conditionTable, refusesSettings } from '../../test/condition-table';
import { facts } from '../../test/fixtures';
import { customerRole } from './customer-role';

const withRole = (role: string) => facts({ customer: { role, order_count: 0 } });

conditionTable(customerRole, [
  ['one of the roles', { roles: ['wholesale', 'customer'] }, withRole('customer'), true],
  ['another role', { roles: ['wholesale'] }, withRole('customer'), false],
  ['a guest', { roles: ['guest'] }, withRole('guest'), true],
]);
refusesSettings(customerRole, [{}, { roles: [] }]);

test('asks for the customer', () => {
  expect(customerRole.needs).toEqual(['customer']);
});
