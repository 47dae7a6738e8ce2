import { ServiceError, searchResultSchema, searchSourceSchema, searchSources } from '@order-automation/contracts';
import { z } from 'zod';
import { shortText, wholeNumberText } from '../../http/parameters';
import { route, seconds } from '../../http/route';
import { executionTime } from '../../http/times';

/** Section 4.1 of the specification: what settings of conditions can be filled with. */
export const searchContentRoutes = [
  route('GET /v1/rule-builder/search-content', 'Search what conditions can name', {
    description:
      'Products, categories, tags, posts, roles, statuses, payment and shipping methods of the shop. An exact id comes first, then what begins with the text, then what has its words.',
    tag: 'Components',
    access: { needs: 'manage_shop' },
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
    example: { query: { source: 'products', search: 'coffee' } },
    handle: async ({ query: { source, search = '', limit }, ask, elapsed }) => {
      if (source === undefined) throw missingSource();
      const { results } = await ask('shop.search.v1', { source, search, limit });
      const meta = { source, search_term: search, count: results.length, execution_time: executionTime(elapsed()) };
      return { body: { results, meta } };
    },
  }),
] as const;

function missingSource(): ServiceError {
  const violations = [{ path: 'source', message: `is required: one of ${searchSources.join(', ')}` }];
  return new ServiceError(400, 'missing_source', 'The parameter source is missing.', { violations });
}
