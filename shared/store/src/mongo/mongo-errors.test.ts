import { retryOf } from '@order-automation/base';
import {
  type BulkWriteResult,
  MongoBulkWriteError,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';
import { DuplicateKeyError, duplicateKeyIndexes, StoreUnavailableError } from '../errors';
import { asStoreError } from './mongo-errors';

const flushed = { getWriteConcernError: () => undefined } as BulkWriteResult;
const unflushed = { getWriteConcernError: () => ({ code: 64 }) } as BulkWriteResult;
const duplicates = { message: 'x', code: 11000, writeErrors: [{ index: 1, code: 11000 }] } as never;

test.each([
  ['ours', new StoreUnavailableError('x'), true],
  ['a lost connection', new MongoNetworkError('x'), true],
  ['no primary found', new MongoServerSelectionError('x', {} as never), true],
  ['not primary any more', new MongoServerError({ message: 'x', code: 10107 }), true],
  ['write concern not met', new MongoServerError({ message: 'x', code: 64 }), true],
  ['a bulk write on a lost connection', new MongoBulkWriteError(new MongoNetworkError('x') as never, flushed), true],
  ['a bulk write that no majority has', new MongoBulkWriteError(duplicates, unflushed), true],
  ['a bulk write with duplicates', new MongoBulkWriteError(duplicates, flushed), false],
  ['a duplicate', new MongoServerError({ message: 'x', code: 11000 }), false],
  ['a duplicate of ours', new DuplicateKeyError('x'), false],
  ['a mistake', new TypeError('x'), false],
  ['nothing', undefined, false],
])('%s', (_, error, unavailable) => {
  const known = asStoreError(error);
  expect(retryOf(known)).toBe(unavailable ? 'later' : 'never');
  if (!unavailable) expect(known).toBe(error);
});

test('a socket that broke while the driver wrote to it', () => {
  expect(retryOf(asStoreError(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })))).toBe('later');
});

test('positions of duplicates are known only when nothing else failed', () => {
  const failures = [
    { index: 3, code: 11000 },
    { index: 1, code: 11000 },
  ];
  expect(duplicateKeyIndexes({ code: 11000, writeErrors: failures })).toEqual([1, 3]);
  expect(duplicateKeyIndexes({ code: 11000, writeErrors: [...failures, { index: 2, code: 14 }] })).toBeUndefined();
  expect(duplicateKeyIndexes({ code: 11000 })).toBeUndefined();
  expect(duplicateKeyIndexes({ code: 11000, writeErrors: [] })).toBeUndefined();
  expect(duplicateKeyIndexes(new MongoBulkWriteError(duplicates, flushed))).toEqual([1]);
  expect(duplicateKeyIndexes(asStoreError(new MongoBulkWriteError(duplicates, unflushed)))).toBeUndefined();
  expect(duplicateKeyIndexes(new Error('x'))).toBeUndefined();
});
