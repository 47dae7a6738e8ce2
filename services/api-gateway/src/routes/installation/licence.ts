import { z } from 'zod';
import { route } from '../../http/route';

/** decisions.md section 8: what this installation is entitled to. Answers without a licence too, to say so. */
export const licenceRoutes = [
  route('GET /pro/v1/licence', 'Read what this installation is licensed for', {
    tag: 'Installation',
    description:
      'Judged at each request. After its expiry rules keep running, and what belongs to the extended edition is refused with 403.',
    access: { needs: 'manage_shop' },
    answers: {
      200: z.object({
        active: z.boolean(),
        edition: z.enum(['default', 'extended']),
        features: z.array(z.string()),
        expires_at: z.iso.datetime().nullable(),
        licensee: z.string().nullable(),
        demonstration: z.boolean(),
        message: z.string(),
      }),
    },
    handle: async (_call, { licence }) => ({ body: { ...licence, features: [...licence.features] } }),
  }),
] as const;
