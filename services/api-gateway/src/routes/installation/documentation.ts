import { z } from 'zod';
import { route } from '../../http/route';

/** The interface described for programs; its pages for people are files (documentation-site.ts). */
export const documentationRoutes = [
  route({
    method: 'GET',
    tag: 'Documentation',
    access: 'open',
    etag: true,
    path: '/v1/openapi.json',
    summary: 'Read the OpenAPI document of this interface',
    answers: { 200: z.looseObject({ openapi: z.string() }) },
    handle: async (_call, edge) => {
      const { document, tag } = edge.openApi();
      return { body: document, headers: { ETag: tag, 'Cache-Control': 'no-cache' } };
    },
  }),
] as const;
