export * from './backoff';
export * from './batcher';
export * from './calls';
export * from './errors';
export * from './in-flight';
export * from './wire-errors';
export * from './within';
export * from './work-queue';
