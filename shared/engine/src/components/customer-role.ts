import { oneOf } from '../one-of';
import { settingsOf, textList } from '../settings-schema';

type CustomerRoleSettings = { roles: string[] };

export const customerRole = oneOf<CustomerRoleSettings>({
  id: 'customer_role',
  label: 'Customer role',
  description: 'Passes when the customer has one of the roles. A customer without an account has the role guest.',
  edition: 'extended',
  needs: ['customer'],
  schema: settingsOf({
    roles: textList('Roles', 'Choose roles; one of them must match.', { 'x-search-source': 'users' }),
  }),
  thing: 'customer role',
  values: ({ roles }) => roles,
  read: ({ customer }) => customer?.role ?? null,
  field: () => 'customer.role',
});
