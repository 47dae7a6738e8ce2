export { delayAfter, joined, newInFlight, retryOf, textOf, within } from '@order-automation/base';
export * from './errors';
export * from './in-process/in-process-bus';
export * from './port';
