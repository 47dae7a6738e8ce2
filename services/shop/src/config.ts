import { type ConfigOf, defineConfig, flag } from '@order-automation/service';
import { z } from 'zod';

/** decisions.md section 10. */
export const shopConfiguration = defineConfig({
  connector: {
    env: 'SHOP_CONNECTOR',
    schema: z.literal('builtin', { error: 'must be builtin, the only connector of this version' }).default('builtin'),
    description: 'Where orders live: `builtin` keeps them itself',
    example: 'builtin',
  },
  demoShop: {
    env: 'DEMO_SHOP',
    schema: flag.default(false),
    description: 'Seed the demonstration shop when the shop is empty',
    example: 'true',
    defaultText: '`true` embedded, `false` distributed',
  },
});

export type ShopConfig = ConfigOf<typeof shopConfiguration>;
