import { z } from 'zod';
import { route } from '../../http/route';

/** The interface described for programs; its pages for people are files (documentation-site.ts). */
export const documentationRoutes = [
  route('GET /v1/openapi.json', 'Read the OpenAPI document of this interface', {
    tag: 'Documentation',
    access: 'open',
    etag: true,
    answers: { 200: z.looseObject({ openapi: z.string() }) },
    handle: async (_call, edge) => {
      const { document, tag } = edge.openApi();
      return { body: document, headers: { ETag: tag, 'Cache-Control': 'no-cache' } };
    },
  }),
] as const;
