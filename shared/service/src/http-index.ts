export * from './body-reader';
export * from './http';
export { requestIdOf, sendError, sendJson } from './http-answers';
export * from './json-body';
