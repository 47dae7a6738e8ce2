export * from './errors';
export type { YieldTo } from './giving-way';
export * from './in-process-bus';
export type { BusLog } from './log';
export * from './port';
