export { type ShopConfig, shopConfiguration } from './config';
export type { Connector } from './connector';
export { type ShopSettings, startShop } from './service';
