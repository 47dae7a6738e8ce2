import {
  base64Keys,
  type ConfigOf,
  defineConfig,
  describedConfig,
  flag,
  hidden,
  outboundConfiguration,
  publicUrlConfiguration,
  secretKeyConfiguration,
  siteConfiguration,
  urlOf,
} from '@order-automation/service';
import { z } from 'zod';
import texts from './variables.json';

const connectors = ['builtin', 'woocommerce'] as const;
const credential = z.string().regex(/^[\x21-\x7e]{8,200}$/, 'must be as WooCommerce showed it when it made the key');

/** decisions.md section 10. */
export const shopConfiguration = defineConfig({
  ...describedConfig(texts, {
    connector: z.enum(connectors, { error: `must be ${connectors.join(' or ')}` }).optional(),
    demoShop: flag.default(false),
    shopUrl: urlOf('https', 'http').optional(),
  }),
  ...outboundConfiguration,
  ...publicUrlConfiguration,
  /** Without it a shop is connected by the environment alone. */
  secretKey: { ...secretKeyConfiguration.secretKey, schema: base64Keys.optional() },
  ...describedConfig(texts, {
    woocommerceUrl: urlOf('https', 'http').optional(),
    woocommerceKey: hidden(credential.optional()),
    woocommerceSecret: hidden(credential.optional()),
  }),
  ...siteConfiguration,
});

export type ShopConfig = ConfigOf<typeof shopConfiguration>;
