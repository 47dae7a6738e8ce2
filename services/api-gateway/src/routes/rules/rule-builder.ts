import {
  rulesRequests,
  ServiceError,
  searchResultSchema,
  searchSourceSchema,
  searchSources,
} from '@order-automation/contracts';
import { z } from 'zod';
import { idText, shortText, wholeNumberText } from '../../http/parameters';
import { route, seconds } from '../../http/route';

const builder = { tag: 'Components', access: { needs: 'manage_shop' } } as const;

/** Section 4.1 of the specification: what rules can be built from, and what settings of conditions can be filled with. */
export const ruleBuilderRoutes = [
  route('GET /v1/rule-builder/components', 'List the components that rules are built from', {
    ...builder,
    query: z.object({ rule_id: idText.optional() }),
    errors: ['svc_rule_not_found'],
    answers: {
      200: rulesRequests['rules.component.list.v1'].output.extend({
        meta: z.object({ execution_time: z.number(), timestamp: z.iso.datetime() }),
      }),
    },
    handle: async ({ query, ask, elapsed }, { edition, now }) => {
      const components = await ask('rules.component.list.v1', { rule_id: query.rule_id ?? null, edition });
      const meta = { execution_time: elapsed(), timestamp: new Date(now()).toISOString() };
      return { body: { ...components, meta } };
    },
  }),
  route('GET /v1/rule-builder/search-content', 'Search what conditions can name', {
    ...builder,
    // The shop may have to ask another server first.
    timeout: seconds(10),
    query: z.object({
      source: searchSourceSchema.optional(),
      search: shortText.optional(),
      limit: wholeNumberText(1, 100).default(50),
    }),
    answers: {
      200: z.object({
        results: z.array(searchResultSchema),
        meta: z.object({
          source: searchSourceSchema,
          search_term: z.string(),
          count: z.int(),
          execution_time: z.number(),
        }),
      }),
    },
    errors: ['missing_source'],
    handle: async ({ query: { source, search = '', limit }, ask, elapsed }) => {
      if (source === undefined) {
        const violations = [{ path: 'source', message: `is required: one of ${searchSources.join(', ')}` }];
        throw new ServiceError(400, 'missing_source', 'The parameter source is missing.', { violations });
      }
      const { results } = await ask('shop.search.v1', { source, search, limit });
      const meta = { source, search_term: search, count: results.length, execution_time: elapsed() };
      return { body: { results, meta } };
    },
  }),
] as const;
