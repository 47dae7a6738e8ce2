import { evaluationRequests } from '@order-automation/contracts';
import { z } from 'zod';
import { reply, route } from './route';

const owner = { tag: 'Rules', access: { needs: 'manage_shop', extended: true } } as const;
const { output: listed } = evaluationRequests['evaluation.secret.list.v1'];
const { input: asked, output: put } = evaluationRequests['evaluation.secret.put.v1'];
const one = { ...owner, path: '/v1/secrets/{name}', params: asked.pick({ name: true }) } as const;

/** Secrets that sign outbound webhooks (decisions.md section 4): the action `send_webhook` names one as `secret_ref`. */
export const secretRoutes = [
  route({
    ...owner,
    method: 'GET',
    path: '/v1/secrets',
    summary: 'List secrets of outbound webhooks',
    description: 'Names and last characters; the values are shown to nobody.',
    answers: { 200: listed },
    handle: async ({ ask }) => ({ body: await ask('evaluation.secret.list.v1', {}) }),
  }),
  route({
    ...one,
    method: 'PUT',
    summary: 'Make or replace a secret of outbound webhooks',
    description:
      'Give a value of at least 16 characters, or let us make one: it is shown in this answer and never again.',
    body: z.strictObject({ value: z.string().min(16).max(500).optional() }),
    answers: { 200: put.omit({ created: true }), 201: put.omit({ created: true }) },
    example: { params: { name: 'warehouse' }, body: {} },
    handle: async ({ params, body: { value = null }, ask }) => {
      const { created, ...answer } = await ask('evaluation.secret.put.v1', { ...params, value });
      return created ? reply(201, answer) : { body: answer };
    },
  }),
  route({
    ...one,
    method: 'DELETE',
    summary: 'Delete a secret of outbound webhooks',
    description: 'Rules that name it can then not send their webhooks: the log says so.',
    answers: { 200: evaluationRequests['evaluation.secret.delete.v1'].output },
    errors: ['svc_secret_not_found'],
    example: { params: { name: 'warehouse' } },
    handle: async ({ params, ask }) => ({ body: await ask('evaluation.secret.delete.v1', params) }),
  }),
] as const;
