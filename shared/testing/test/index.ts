export * from './builders';
export * from './clock';
export * from './describe-lanes';
export type { Lane, LaneDeps } from './lane';
export * from './namespace';
export * from './recorded-entries';
export { type LaneServer, type Lanes, lanes } from './resolve-lanes';
export * from './wait-for';
