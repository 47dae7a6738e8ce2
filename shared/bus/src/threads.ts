export { nearBus } from './near-bus';
export { threadBus } from './thread-bus';
export { type Serve, type ThreadCalls, threadCalls } from './thread-calls';
export { serveBus } from './thread-server';
