export * from './builders';
export * from './card-signature';
export * from './clock';
export { type LaneServer, type Lanes, lanes } from './resolve-lanes';
export * from './wait-for';
