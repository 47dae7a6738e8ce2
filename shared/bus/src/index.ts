export * from './backoff';
export * from './errors';
export * from './in-flight';
export * from './in-process-bus';
export type { BusLog } from './log';
export * from './port';
export * from './within';
