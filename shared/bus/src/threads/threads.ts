export { portCalls, type Serve } from './port-calls';
export { threadBus } from './thread-bus';
export { serveBus } from './thread-server';
