export * from './errors';
export { insertNew } from './insert-new';
export { mongoStore } from './mongo';
export * from './port';
export { type SqliteHost, sqliteHost } from './sqlite/host';
export { type SqliteStoreOptions, sqliteStore } from './sqlite/store';
export { takeNumbers } from './take-numbers';
export { isUnavailable } from './unavailable';
export { withBeginnings, wordsOf } from './words';
