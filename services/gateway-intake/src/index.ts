export * from './config';
export * from './gateways/adapter';
export type { Connection, LiveSecret } from './gateways/connection';
export * from './inbox/documents';
export * from './inbox/inbox';
export { startIntake } from './service';
