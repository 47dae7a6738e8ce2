export * from './builders';
export * from './card-signature';
export * from './clock';
export * from './crashing-store';
export * from './describe-lanes';
export type { Lane, LaneDeps, LaneDepsOptions } from './lane';
export * from './namespace';
export { type LaneServer, type Lanes, lanes } from './resolve-lanes';
export * from './wait-for';
