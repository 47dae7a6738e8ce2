import { oneOf } from '../one-of';
import { settingsOf, textList } from '../settings-schema';

type CustomerRoleSettings = { roles: string[] };

export const customerRole = oneOf<CustomerRoleSettings>({
  id: 'customer_role',
  label: 'Customer role',
  description: 'Passes when the customer has one of the roles; without an account the role is guest.',
  edition: 'extended',
  needs: ['customer'],
  schema: settingsOf(
    { roles: textList('Roles', 'Keys of roles of the shop; one is enough.', { 'x-search-source': 'users' }) },
    ['roles'],
  ),
  thing: 'customer role',
  values: ({ roles }) => roles,
  read: ({ customer }) => customer?.role ?? null,
  field: () => 'customer.role',
});
