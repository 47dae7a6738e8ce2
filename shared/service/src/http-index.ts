export * from './body-reader';
export * from './http';
export { endWhenRead, requestIdOf, sendError, sendJson } from './http-answers';
export { errorAnswer } from './http-errors';
export { allowLongUpload } from './http-uploads';
export * from './json-body';
