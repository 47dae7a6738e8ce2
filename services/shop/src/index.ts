export { type ShopConfig, shopConfiguration } from './config';
export { type ShopSettings, startShop } from './service';
