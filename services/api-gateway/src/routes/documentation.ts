import { z } from 'zod';
import { route } from './route';

/** What programs read of this interface. */
export const documentationRoutes = [
  route({
    method: 'GET',
    path: '/v1/openapi.json',
    summary: 'Read the OpenAPI document of this interface',
    tag: 'Documentation',
    access: 'open',
    answers: { 200: z.looseObject({ openapi: z.string() }) },
    handle: async (_call, { documentation }) => {
      const { openApi } = documentation;
      return { body: openApi.document, headers: { ETag: openApi.tag, 'Cache-Control': 'no-cache' } };
    },
  }),
] as const;
