import { z } from 'zod';
import { unauthenticated } from '../../auth/authorise';
import { scopeSchema } from '../../auth/identity';
import { longestLife } from '../../auth/tokens';
import { route } from '../../http/route';

/** decisions.md section 9: tokens for the extended routes. */
export const tokenRoutes = [
  route('POST /v1/auth/token', 'Get a token for the extended routes', {
    description:
      'Sent as `Authorization: Bearer …` to addresses below `/pro/v1`. It ends by itself, and when its user is disabled or gets another password.',
    tag: 'Accounts',
    access: { needs: 'anybody' },
    body: z.strictObject({
      scope: scopeSchema.default('full'),
      /** Seconds. */
      expires_in: z.int().min(60).max(longestLife).default(longestLife),
    }),
    maxBody: 16 * 1024,
    answers: {
      200: z.object({
        access_token: z.string(),
        token_type: z.literal('Bearer'),
        expires_in: z.int(),
        scope: scopeSchema,
      }),
    },
    example: { body: { scope: 'read', expires_in: 900 } },
    handle: async ({ body, identity }, { accounts }) => {
      const user = await accounts.users.find(identity.userId);
      if (!user) throw unauthenticated('You are not logged in.');
      const access_token = await accounts.tokens.issue({
        userId: user._id,
        passwordChangedAt: user.password_changed_at,
        scope: body.scope,
        life: body.expires_in,
      });
      return { body: { access_token, token_type: 'Bearer' as const, ...body } };
    },
  }),
] as const;
