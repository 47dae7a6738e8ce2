import { evaluationRequests } from '@order-automation/contracts';
import { z } from 'zod';
import { reply, route } from '../../http/route';

const owner = {
  tag: 'Rules',
  access: { needs: 'manage_shop', extended: 'Secrets of outbound calls need the extended edition.' },
} as const;
const { output: listed } = evaluationRequests['evaluation.secret.list.v1'];
const { input: asked, output: put } = evaluationRequests['evaluation.secret.put.v1'];
const one = { ...owner, params: asked.pick({ name: true }) } as const;

const event_type = 'webhook_settings_changed';

/** Secrets that sign outbound webhooks (decisions.md section 4): the action `send_webhook` names one as `secret_ref`. */
export const secretRoutes = [
  route('GET /v1/secrets', 'List secrets of outbound webhooks', {
    ...owner,
    answers: { 200: listed },
    handle: ({ answer }) => answer('evaluation.secret.list.v1', {}),
  }),
  route('PUT /v1/secrets/{name}', 'Create or replace a secret of outbound webhooks', {
    ...one,
    body: z.strictObject({ value: z.string().min(16).max(500).optional() }),
    answers: { 200: put.omit({ created: true }), 201: put.omit({ created: true }) },
    handle: async (call, { administration }) => {
      const { params, body, ask } = call;
      const put = () => ask('evaluation.secret.put.v1', { ...params, value: body.value ?? null });
      const said = (verb: string): string => `${verb} the outbound secret ${params.name}`;
      const outcome = (result: { created: boolean }): string => said(result.created ? 'created' : 'replaced');
      const act = { call, event_type, what: said('created or replaced') } as const;
      const { created, ...answer } = await administration.during(act, put, outcome);
      return created ? reply(201, answer) : { body: answer };
    },
  }),
  route('DELETE /v1/secrets/{name}', 'Delete a secret of outbound webhooks', {
    ...one,
    answers: { 200: evaluationRequests['evaluation.secret.delete.v1'].output },
    errors: ['svc_secret_not_found'],
    handle: async (call, { administration }) => {
      const { params, ask } = call;
      const what = `deleted the outbound secret ${params.name}`;
      const remove = () => ask('evaluation.secret.delete.v1', params);
      return { body: await administration.during({ call, event_type, what }, remove) };
    },
  }),
] as const;
