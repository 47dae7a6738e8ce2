import { adapterStatusSchema, endWarningSchema } from '@order-automation/contracts';
import { z } from 'zod';
import { wholeUrl } from '../../http/edge';
import { reply, route } from '../../http/route';
import { licenceSchema } from '../../licence';
import { overviewSchema, readOverview, readWarnings, softly } from '../../overview';

const health = z.object({
  status: z.enum(['healthy', 'unhealthy']),
  timestamp: z.iso.datetime(),
  version: z.string(),
  endpoints: z.object({ wallet: z.string(), card: z.string(), generic: z.string() }),
  adapters: z.array(adapterStatusSchema),
  /** Secrets, certificates and a licence that end within 14 days, and settings that do not fit what arrives. */
  warnings: z.array(endWarningSchema),
});

/** Section 4.3 of the specification, `GET /webhooks/health`: open to all, so it says no more than senders need to know. */
export const healthRoutes = [
  route('GET /v1/webhooks/health', 'Say whether webhooks can be taken', {
    tag: 'Webhooks',
    access: 'open',
    answers: { 200: health, 503: health },
    handle: async (call, edge) => {
      const { now, version } = edge;
      const address = (gateway: string) => wholeUrl(call, edge, `/v1/webhooks/${gateway}`);
      const { ready, adapters } = await edge.intakeStatus();
      const body = {
        timestamp: new Date(now()).toISOString(),
        version,
        endpoints: { wallet: address('gateway_wallet'), card: address('gateway_card'), generic: address('generic') },
        adapters,
        warnings: await readWarnings(edge),
      };
      if (ready) return { body: { status: 'healthy' as const, ...body } };
      return reply(503, { status: 'unhealthy' as const, ...body });
    },
  }),
] as const;

/** decisions.md section 8: what this installation is entitled to. Answers without a licence too, to say so. */
export const licenceRoutes = [
  route('GET /pro/v1/licence', 'Read what this installation is licensed for', {
    tag: 'Installation',
    access: { needs: 'manage_shop' },
    answers: { 200: licenceSchema },
    handle: async (_call, { licence }) => ({ body: licence }),
  }),
] as const;

/** The figures of trouble, as metrics and notifications have them too. */
export const overviewRoutes = [
  route('GET /v1/overview', 'Read the figures of now', {
    tag: 'Installation',
    access: { needs: 'view_shop_reports' },
    answers: { 200: overviewSchema },
    handle: async ({ ask }, edge) => ({ body: await readOverview(softly(ask), edge) }),
  }),
] as const;

/** The interface described for programs; its pages for people are files (built-sites.ts). */
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
