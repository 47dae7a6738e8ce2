export { type ShopConfig, shopConfiguration } from './config';
export type { Connector } from './connector';
export { startShop } from './service';
