import type { RequestOutput } from '@order-automation/contracts';
import { z } from 'zod';
import { actorOf, type Edge } from './edge';
import { idParameter, jsonObject } from './parameters';
import type { Answer, KnownCall, Route } from './route';
import { requiredVersion, versionTag } from './version-tag';

const wrappedBody = z.object({
  rule: z.unknown(),
  audit: z
    .object({
      action: z.string().max(200).optional(),
      user_context: z
        .object({ user_agent: z.string().max(2000).optional(), page_url: z.string().max(2000).optional() })
        .optional(),
    })
    .nullish(),
});

/** Section 4.1 of the specification: the four keys of rule data under `/rule/{id}`; PUT and POST mean the same (decisions.md section 2). */
export function ruleDataRoutes(edge: Edge): readonly Route[] {
  const access = { needs: 'manage_shop' } as const;
  const path = '/v1/rule/:id';
  const save = (call: KnownCall) => saveRuleData(edge, call);
  return [
    {
      method: 'GET',
      path,
      access,
      handle: async (call) => {
        const { record } = await edge.ask('rules.rule.get.v1', idParameter.parse(call.params));
        return { body: record.rule, headers: { ETag: versionTag(record.version) } };
      },
    },
    { method: 'PUT', path, access, handle: save },
    { method: 'POST', path, access, handle: save },
  ];
}

async function saveRuleData(edge: Edge, call: KnownCall): Promise<Answer> {
  const { id } = idParameter.parse(call.params);
  const { rule, userContext } = readBody(call.body);
  const saved = await edge.ask('rules.rule.save.v1', {
    id,
    changes: { rule },
    if_match: requiredVersion(call.header('if-match')),
    edition: edge.edition,
    actor: actorOf(call, edge, userContext),
  });
  return savedAnswer(saved);
}

type UserContext = { user_agent?: string; page_url?: string };

/** `{rule, audit?}`, or the bare rule data. The rules service says what is wrong with the rule itself. */
export function readBody(body: unknown): { rule: unknown; userContext: UserContext } {
  const object = jsonObject.parse(body);
  if (!Object.hasOwn(object, 'rule')) return { rule: object, userContext: {} };
  const { rule, audit } = wrappedBody.parse(object);
  const { user_agent, page_url } = audit?.user_context ?? {};
  return {
    rule,
    userContext: { ...(user_agent !== undefined && { user_agent }), ...(page_url !== undefined && { page_url }) },
  };
}

/** Section 2.3 of the specification, with the new version as ETag. */
function savedAnswer({ record, ...result }: RequestOutput<'rules.rule.save.v1'>): Answer {
  return { body: result, headers: { ETag: versionTag(record.version) } };
}
