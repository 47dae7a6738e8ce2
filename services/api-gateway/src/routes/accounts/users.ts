import { paginate, paginationSchema } from '@order-automation/contracts';
import { z } from 'zod';
import { userFields, userNotFound } from '../../auth/account-changes';
import { roleSchema } from '../../auth/identity';
import type { UserDocument } from '../../collections/users';
import { paging } from '../../http/parameters';
import { reply, route } from '../../http/route';

const all = { tag: 'Accounts', access: { needs: 'administrator' } } as const;
const example = { params: { id: '0d9e3a1c-5b7f-4c61-9a0e-2f4b8c6d7e10' } };
const one = { ...all, params: z.object({ id: z.string().max(100) }), example } as const;

const listedSchema = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string().nullable(),
  role: roleSchema,
  disabled: z.boolean(),
  created_at: z.iso.datetime(),
});

/** decisions.md section 9: what administrators do to users. */
export const userRoutes = [
  route('GET /v1/auth/users', 'List users', {
    ...all,
    query: z.object(paging),
    answers: { 200: z.object({ users: z.array(listedSchema), pagination: paginationSchema }) },
    handle: async ({ query }, { accounts }) => {
      const { users, total } = await accounts.users.page(query.page, query.per_page);
      return { body: { users: users.map(listed), pagination: paginate(total, query.page, query.per_page) } };
    },
  }),
  route('POST /v1/auth/users', 'Create a user', {
    ...all,
    body: z.strictObject({
      ...userFields,
      email: userFields.email.default(null),
      disabled: userFields.disabled.default(false),
      password: userFields.password.optional(),
    }),
    maxBody: 16 * 1024,
    answers: { 201: listedSchema.extend({ password: z.string().optional() }) },
    errors: ['svc_user_exists'],
    handle: async (call, edge) => {
      const { body } = call;
      const what = `created user ${body.username} (${body.role.replace('_', ' ')})`;
      const create = () => edge.accounts.changes.create(body);
      const { user, password } = await edge.administration.during({ call, what }, create);
      const headers = { Location: `${edge.basePath}/v1/auth/users/${user._id}` };
      return reply(201, { ...listed(user), ...(password !== undefined && { password }) }, headers);
    },
  }),
  route('GET /v1/auth/users/{id}', 'Read a user', {
    ...one,
    answers: { 200: listedSchema },
    errors: ['svc_user_not_found'],
    handle: async ({ params }, { accounts }) => {
      const user = await accounts.users.find(params.id);
      if (!user) throw userNotFound();
      return { body: listed(user) };
    },
  }),
  route('PUT /v1/auth/users/{id}', 'Change a user', {
    ...one,
    body: z.strictObject(userFields).partial(),
    maxBody: 16 * 1024,
    answers: { 200: listedSchema },
    errors: ['svc_user_not_found', 'svc_user_exists', 'svc_last_administrator'],
    handle: async (call, edge) => {
      const { id } = call.params;
      const said = (name: string): string =>
        `changed ${Object.keys(call.body).join(', ') || 'nothing'} of user ${name}`;
      const change = () => edge.accounts.changes.change(id, call.body);
      const user = await edge.administration.during({ call, what: said(id) }, change, ({ name }) => said(name));
      return { body: listed(user) };
    },
  }),
  route('DELETE /v1/auth/users/{id}', 'Delete a user', {
    ...one,
    answers: { 200: z.object({ success: z.boolean(), id: z.string() }) },
    errors: ['svc_user_not_found', 'svc_last_administrator'],
    handle: async (call, edge) => {
      const { id } = call.params;
      const said = (name: string): string => `deleted user ${name}`;
      const remove = () => edge.accounts.changes.remove(id);
      await edge.administration.during({ call, what: said(id) }, remove, ({ name }) => said(name));
      return { body: { success: true, id } };
    },
  }),
] as const;

function listed({ _id, name, email, role, disabled, created_at }: UserDocument) {
  return { id: _id, username: name, email, role, disabled, created_at };
}
