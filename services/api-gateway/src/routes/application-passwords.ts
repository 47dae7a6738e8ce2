import { randomUUID } from 'node:crypto';
import { ServiceError } from '@order-automation/contracts';
import { z } from 'zod';
import type { Accounts } from '../auth/accounts';
import { makeApplicationPassword, normaliseApplicationPassword } from '../auth/application-password';
import { type ApplicationPasswordDocument, mostApplicationPasswords } from '../collections/application-passwords';
import type { Answer, KnownCall, Route } from './route';

export type ApplicationPasswordEdge = { readonly accounts: Accounts; now(): number };

const createBody = z.object({ name: z.string().trim().min(1).max(100) });
const path = '/v1/auth/application-passwords';
const access = { needs: 'anybody' } as const;

/** decisions.md section 9: everybody manages the application passwords of their own. */
export function applicationPasswordRoutes(edge: ApplicationPasswordEdge): readonly Route[] {
  return [
    {
      method: 'GET',
      path,
      access,
      handle: async ({ identity }) => {
        const own = await edge.accounts.applicationPasswords.ofUser(identity.userId);
        return { body: { application_passwords: own.map(listed) } };
      },
    },
    { method: 'POST', path, access, handle: (call) => create(edge, call) },
    { method: 'DELETE', path: `${path}/:id`, access, handle: (call) => remove(edge, call) },
  ];
}

async function create({ accounts, now }: ApplicationPasswordEdge, call: KnownCall): Promise<Answer> {
  const { name } = createBody.parse(call.body ?? {});
  const own = await accounts.applicationPasswords.ofUser(call.identity.userId);
  if (own.length >= mostApplicationPasswords) {
    const message = `There are ${mostApplicationPasswords} application passwords already. Delete those that are not used.`;
    throw new ServiceError(400, 'svc_too_many_application_passwords', message);
  }
  const password = makeApplicationPassword();
  const plain = normaliseApplicationPassword(password);
  const document: ApplicationPasswordDocument = {
    _id: randomUUID(),
    user_id: call.identity.userId,
    name,
    hash: accounts.passwordKeys.hash(plain),
    last4: plain.slice(-4),
    created_at: new Date(now()).toISOString(),
    last_used_at: null,
    provisioned: false,
  };
  if (!(await accounts.applicationPasswords.add(document))) throw new Error('two random passwords are the same');
  return { status: 201, body: { ...listed(document), password } };
}

async function remove({ accounts }: ApplicationPasswordEdge, call: KnownCall): Promise<Answer> {
  const { id } = z.object({ id: z.string().max(100) }).parse(call.params);
  const removed = await accounts.applicationPasswords.remove(id, call.identity.userId);
  if (!removed) {
    throw new ServiceError(404, 'svc_application_password_not_found', 'There is no such application password.');
  }
  accounts.forget(id);
  return { body: { success: true, id } };
}

function listed({ _id, name, last4, created_at, last_used_at }: ApplicationPasswordDocument) {
  return { id: _id, name, last4, created_at, last_used_at };
}
