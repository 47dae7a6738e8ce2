import { rulesRequests } from '@order-automation/contracts';
import { z } from 'zod';
import { actorOf } from '../../http/edge';
import { route, seconds } from '../../http/route';

const all = { tag: 'Rules', access: { needs: 'manage_shop' } } as const;

/** All rules together: their order, conflicts among them, and templates. */
export const ruleSetRoutes = [
  route('POST /v1/rules/reorder', 'Put rules into another order', {
    ...all,
    description:
      'The rules change places among themselves, all at once; others stay where they are. Each rule that moves gets a new version.',
    body: z.strictObject({ ids: z.array(z.int().min(1)).min(1).max(1_000) }),
    answers: { 200: rulesRequests['rules.reorder.v1'].output },
    errors: ['svc_import_running', 'svc_version_conflict'],
    timeout: seconds(30),
    example: { body: { ids: [1] } },
    handle: async (call, edge) => ({
      body: await call.ask('rules.reorder.v1', { ids: call.body.ids, actor: actorOf(call, edge) }),
    }),
  }),
  route('GET /v1/rules/conflicts', 'List conflicts among enabled rules', {
    ...all,
    description:
      'Rules that can never match, that have no action, that name a product, category or tag that the shop does not have, that set different statuses on one occurrence, and rules that never run because another one ends the occurrence before them. At most 500 about single rules and 500 about pairs, among 10,000 rules; `is_truncated` says that there may be more.',
    answers: { 200: rulesRequests['rules.conflict.list.v1'].output },
    timeout: seconds(10),
    handle: async ({ ask }) => ({ body: await ask('rules.conflict.list.v1', {}) }),
  }),
  route('GET /v1/rules/templates', 'List rule templates', {
    ...all,
    description: 'Templates of rules: `POST /v1/rules` with the id as `template`.',
    answers: { 200: rulesRequests['rules.template.list.v1'].output },
    handle: async ({ ask }, { edition }) => ({ body: await ask('rules.template.list.v1', { edition }) }),
  }),
] as const;
