import {
  base64Keys,
  type ConfigOf,
  defineConfig,
  flag,
  outboundConfiguration,
  secretKeyConfiguration,
  siteConfiguration,
  urlOf,
} from '@order-automation/service';
import { z } from 'zod';

const connectors = ['builtin', 'woocommerce'] as const;
const credential = z.string().regex(/^[\x21-\x7e]{8,200}$/, 'must be as WooCommerce showed it when it made the key');

/** decisions.md section 10. */
export const shopConfiguration = defineConfig({
  connector: {
    env: 'SHOP_CONNECTOR',
    schema: z.enum(connectors, { error: `must be ${connectors.join(' or ')}` }).optional(),
    description:
      'Where orders live: `builtin` keeps them itself, `woocommerce` works on the orders of a WooCommerce shop. Set, it wins over what the console connects',
    example: 'woocommerce',
    defaultText: 'what an administrator connects in the console, else `builtin`',
  },
  demoShop: {
    env: 'DEMO_SHOP',
    schema: flag.default(false),
    description: 'Seed the demonstration shop when the shop is empty; `builtin` alone',
    example: 'true',
    defaultText: '`true` embedded, `false` distributed',
  },
  shopUrl: {
    env: 'SHOP_URL',
    schema: urlOf('https', 'http').optional(),
    description:
      'Address under which customers know the shop: events of a gateway that name another one (`site_url`) are of another shop and move nothing. With WooCommerce the host of `WOOCOMMERCE_URL` counts as well',
    example: 'https://shop.example',
    defaultText: 'none',
  },
  ...outboundConfiguration,
  /** Without it a shop is connected by the environment alone. */
  secretKey: { ...secretKeyConfiguration.secretKey, schema: base64Keys.optional() },
  woocommerceUrl: {
    env: 'WOOCOMMERCE_URL',
    schema: urlOf('https', 'http').optional(),
    description:
      'Address of the WooCommerce shop, without `/wp-json`. A private address, and http at all, need its host in `OUTBOUND_ALLOW`',
    example: 'https://shop.example',
    defaultText: 'none; required with `SHOP_CONNECTOR=woocommerce`',
  },
  woocommerceKey: {
    env: 'WOOCOMMERCE_KEY',
    schema: credential.optional(),
    description: 'Consumer key of the WooCommerce REST API, with the permission Read/Write',
    example: 'ck_0123456789abcdef0123456789abcdef01234567',
    secret: true,
    defaultText: 'none; required with `SHOP_CONNECTOR=woocommerce`',
  },
  woocommerceSecret: {
    env: 'WOOCOMMERCE_SECRET',
    schema: credential.optional(),
    description: 'Consumer secret of that key',
    example: 'cs_0123456789abcdef0123456789abcdef01234567',
    secret: true,
    defaultText: 'none; required with `SHOP_CONNECTOR=woocommerce`',
  },
  ...siteConfiguration,
});

export type ShopConfig = ConfigOf<typeof shopConfiguration>;
