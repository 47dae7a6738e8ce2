export * from './errors';
export * from './port';
export { type SqliteHost, sqliteHost } from './sqlite/host';
export { type SqliteStoreOptions, sqliteStore } from './sqlite/store';
