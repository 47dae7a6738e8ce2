export {
  BulkWriteError,
  DuplicateKeyError,
  duplicateKeyIndexes,
  isDuplicateKey,
  StoreUnavailableError,
  UnsupportedQueryError,
} from './errors';
export { deleteInPages, updateInPages } from './in-pages';
export { insertNew } from './insert-new';
export { type MongoServer, mongoServer, mongoStore } from './mongo/mongo';
export * from './port';
export { plainText, type StoredText } from './sqlite/compression';
export { addFunctions } from './sqlite/connection';
export { type SqliteHost, sqliteHost } from './sqlite/host';
export { type SqliteStoreOptions, sqliteStore } from './sqlite/store';
export { takeNumbers } from './take-numbers';
export { mayHoldHalfPair, wellFormed } from './well-formed';
export { withBeginnings, wordsOf } from './words';
