import { ServiceError } from '@order-automation/contracts';
import { z } from 'zod';
import { sessionCookieHeader } from '../../auth/credentials';
import { passwordSchema } from '../../auth/password';
import { route } from '../../http/route';
import { cookiePath } from './session';

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

/** decisions.md section 9: everybody's own password and sessions. */
export const ownAccountRoutes = [
  route('PUT /v1/auth/password', 'Change your password', {
    ...own,
    description:
      'Ends your other sessions. Tokens and sessions elsewhere are no longer valid; application passwords stay.',
    body: z.strictObject({ current: z.string().min(1).max(1000), new: passwordSchema }),
    maxBody: 16 * 1024,
    answers: { 200: z.object({ success: z.boolean(), sessions_ended: z.int() }) },
    errors: ['rest_forbidden', 'svc_too_many_attempts'],
    example: { body: { current: 'an old password', new: 'correct horse battery staple' } },
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
      const { kind, id } = identity.credential;
      const listed = sessions.map(({ _id, user_id, ...shown }) => ({
        id: _id,
        ...shown,
        current: kind === 'session' && id === _id,
      }));
      return { body: { sessions: listed } };
    },
  }),
  route('DELETE /v1/auth/sessions', 'End all your sessions', {
    ...own,
    description: 'The one of this request ends too.',
    answers: { 200: z.object({ success: z.boolean(), sessions_ended: z.int() }) },
    handle: async (call, { accounts, administration, basePath }) => {
      const { identity, client } = call;
      const end = () => accounts.sessions.removeAll(identity.userId);
      const sessions_ended = await administration.during({ call, what: 'ended all their sessions' }, end);
      const cookie = sessionCookieHeader('', { path: cookiePath(basePath), secure: client.https, maxAgeSeconds: 0 });
      return { body: { success: true, sessions_ended }, headers: { 'Set-Cookie': cookie } };
    },
  }),
  route('DELETE /v1/auth/sessions/{id}', 'End one of your sessions', {
    ...own,
    params: z.object({ id: z.string().max(100) }),
    answers: { 200: z.object({ success: z.boolean(), id: z.string() }) },
    errors: ['svc_session_not_found'],
    example: { params: { id: '3q2-7w0Zt0m8Xb1c4d5e6f7g8h9i0jklmnopqrstuvw' } },
    handle: async (call, { accounts, administration }) => {
      const { id } = call.params;
      await administration.during({ call, what: 'ended one of their sessions' }, async () => {
        if (await accounts.sessions.remove(id, call.identity.userId)) return;
        throw new ServiceError(404, 'svc_session_not_found', 'There is no such session.');
      });
      return { body: { success: true, id } };
    },
  }),
] as const;
