export { approve, type PostKeys } from './authorize';
export { randomFaults } from './faults';
export { type Call, problem, type Reply } from './replies';
export { type Fault, startWooCommerce, type WooCommerceServer, wooCommerceKey } from './server';
export { shopData } from './shop-data';
