export * from './builders';
export * from './card-signature';
export * from './clock';
export * from './describe-lanes';
export type { Lane, LaneDeps, LaneDepsOptions } from './lane';
export * from './mortal-store';
export * from './namespace';
export { type LaneServer, type Lanes, lanes } from './resolve-lanes';
export * from './wait-for';
