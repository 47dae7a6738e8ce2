export * from './config';
export { startRules } from './service';
