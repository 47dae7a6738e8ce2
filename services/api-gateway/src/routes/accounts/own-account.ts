import { ServiceError } from '@order-automation/contracts';
import { z } from 'zod';
import {
  applicationPasswordRecord,
  makeApplicationPassword,
  normaliseApplicationPassword,
} from '../../auth/application-password';
import { scopeSchema } from '../../auth/identity';
import { passwordSchema } from '../../auth/password';
import { type ApplicationPasswordDocument, maxApplicationPasswords } from '../../collections/application-passwords';
import { reply, route } from '../../http/route';
import { cookieHeaders } from './session';

const own = { tag: 'Accounts', access: { needs: 'anybody' } } as const;

const sessionSchema = z.object({
  id: z.string(),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  address: z.string(),
  user_agent: z.string().nullable(),
  /** Whether this request came with it. */
  current: z.boolean(),
});

const listedSchema = z.object({
  id: z.string(),
  name: z.string(),
  last4: z.string(),
  scope: scopeSchema,
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable(),
});

/** decisions.md section 9: everybody's own password, sessions and application passwords. */
export const ownAccountRoutes = [
  route('PUT /v1/auth/password', 'Change your password', {
    ...own,
    body: z.strictObject({ current: z.string().min(1).max(1000), new: passwordSchema }),
    maxBody: 16 * 1024,
    answers: { 200: z.object({ success: z.boolean(), sessions_ended: z.int() }) },
    errors: ['rest_forbidden', 'svc_too_many_attempts'],
    handle: async (call, { accounts, administration }) => {
      const { body, identity, client } = call;
      const passwords = { current: body.current, next: body.new };
      const change = () => accounts.changes.changePassword(identity, passwords, client.address);
      const sessions_ended = await administration.during({ call, what: 'changed their own password' }, change);
      return { body: { success: true, sessions_ended } };
    },
  }),
  route('GET /v1/auth/sessions', 'List your sessions', {
    ...own,
    answers: { 200: z.object({ sessions: z.array(sessionSchema) }) },
    handle: async ({ identity }, { accounts, now }) => {
      const sessions = await accounts.sessions.ofUser(identity.userId, new Date(now()).toISOString());
      const { credential } = identity;
      const isCurrent = (id: string) => credential.kind === 'session' && credential.id === id;
      const listed = sessions.map(({ _id: id, user_id, ...shown }) => ({ id, ...shown, current: isCurrent(id) }));
      return { body: { sessions: listed } };
    },
  }),
  route('DELETE /v1/auth/sessions', 'End all your sessions', {
    ...own,
    answers: { 200: z.object({ success: z.boolean(), sessions_ended: z.int() }) },
    handle: async (call, edge) => {
      const end = () => edge.accounts.sessions.removeAll(call.identity.userId);
      const sessions_ended = await edge.administration.during({ call, what: 'ended all their sessions' }, end);
      return { body: { success: true, sessions_ended }, headers: cookieHeaders(call, edge) };
    },
  }),
  route('DELETE /v1/auth/sessions/{id}', 'End one of your sessions', {
    ...own,
    params: z.object({ id: z.string().max(100) }),
    answers: { 200: z.object({ success: z.boolean(), id: z.string() }) },
    errors: ['svc_session_not_found'],
    handle: async (call, { accounts, administration }) => {
      const { id } = call.params;
      await administration.during({ call, what: 'ended one of their sessions' }, async () => {
        if (await accounts.sessions.remove(id, call.identity.userId)) return;
        throw new ServiceError(404, 'svc_session_not_found', 'There is no such session.');
      });
      return { body: { success: true, id } };
    },
  }),
  route('GET /v1/auth/application-passwords', 'List your application passwords', {
    ...own,
    answers: { 200: z.object({ application_passwords: z.array(listedSchema) }) },
    handle: async ({ identity }, { accounts }) => {
      const passwords = await accounts.applicationPasswords.ofUser(identity.userId);
      return { body: { application_passwords: passwords.map(listed) } };
    },
  }),
  route('POST /v1/auth/application-passwords', 'Make an application password', {
    ...own,
    body: z.strictObject({ name: z.string().trim().min(1).max(100), scope: scopeSchema.default('full') }),
    answers: { 201: listedSchema.extend({ password: z.string() }) },
    errors: ['svc_too_many_application_passwords'],
    handle: async (call, { accounts, administration, now }) => {
      const { body, identity } = call;
      const passwords = await accounts.applicationPasswords.ofUser(identity.userId);
      if (passwords.length >= maxApplicationPasswords) {
        const message = `There are ${maxApplicationPasswords} application passwords already. Delete those that are not used.`;
        throw new ServiceError(400, 'svc_too_many_application_passwords', message);
      }
      const password = makeApplicationPassword();
      const plain = normaliseApplicationPassword(password);
      const chosen = { user_id: identity.userId, ...body, provisioned: false };
      const document = applicationPasswordRecord(chosen, plain, accounts.passwordKeys, now());
      const what = `made the application password "${body.name}" (${body.scope}, ends in ${document.last4})`;
      await administration.during({ call, what }, async () => {
        if (!(await accounts.applicationPasswords.add(document))) throw new Error('two random passwords are the same');
      });
      return reply(201, { ...listed(document), password });
    },
  }),
  route('DELETE /v1/auth/application-passwords/{id}', 'Delete one of your application passwords', {
    ...own,
    params: z.object({ id: z.string().max(100) }),
    answers: { 200: z.object({ success: z.boolean(), id: z.string() }) },
    errors: ['svc_application_password_not_found'],
    handle: async (call, { accounts, administration }) => {
      const { id } = call.params;
      const { userId } = call.identity;
      const named = (await accounts.applicationPasswords.ofUser(userId)).find(({ _id }) => _id === id);
      if (!named) throw passwordNotFound();
      const what = `deleted the application password "${named.name}" (ends in ${named.last4})`;
      await administration.during({ call, what }, async () => {
        if (!(await accounts.applicationPasswords.remove(id, userId))) throw passwordNotFound();
      });
      return { body: { success: true, id } };
    },
  }),
] as const;

const passwordNotFound = () =>
  new ServiceError(404, 'svc_application_password_not_found', 'There is no such application password.');

function listed({ _id, name, last4, scope, created_at, last_used_at }: ApplicationPasswordDocument) {
  return { id: _id, name, last4, scope, created_at, last_used_at };
}
