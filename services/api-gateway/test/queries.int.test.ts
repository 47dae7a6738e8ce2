import type { Document, Documents, Filter, Sort } from '@order-automation/store';
import { describeLanes, type LaneDeps } from '@order-automation/testing';
import { explain } from '../../../shared/store/test/explain';
import {
  applicationPasswordIndexes,
  applicationPasswordQueries,
  loginAttemptIndexes,
  loginAttemptQueries,
  savedFilterIndexes,
  savedFilterQueries,
  sessionIndexes,
  sessionQueries,
  userIndexes,
  userQueries,
} from '../src';
import type { ApplicationPasswordDocument } from '../src/collections/application-passwords';
import type { LoginAttemptDocument } from '../src/collections/login-attempts';
import type { SavedFilterDocument } from '../src/collections/saved-filters';
import type { SessionDocument } from '../src/collections/sessions';
import type { UserDocument } from '../src/collections/users';

/**
 * SecantusDB sorts what it found by a prefix of an index, and explains a filter on `_id` and another field as a scan; MongoDB and SQLite
 * walk the index in order, and the primary key.
 */
const known = ['SORT < FETCH < IXSCAN', 'COLLSCAN'];

describeLanes('every query of the gateway walks an index', (lane) => {
  let deps: LaneDeps;

  const indexed = async <T extends Document>(documents: Documents<T>, filter: Filter<T>, sort?: Sort<T>) => {
    const { usesIndex, engine, detail } = await explain(deps.store, documents, filter, sort);
    const byKeyAndMore = '_id' in filter && Object.keys(filter).length > 1;
    const excused = engine === 'secantus' && known.includes(detail) && (sort !== undefined || byKeyAndMore);
    return usesIndex || excused || detail;
  };

  beforeAll(async () => {
    deps = await lane.deps();
  });
  afterAll(() => deps.close());

  test('application passwords', async () => {
    const { store } = deps;
    const documents = await store.collection<ApplicationPasswordDocument>(
      'application_passwords',
      applicationPasswordIndexes,
    );
    const { byHash, ofUser, one } = applicationPasswordQueries;
    expect(await indexed(documents, byHash(['a', 'b']))).toBe(true);
    expect(await indexed(documents, ofUser('admin'), { created_at: 1 })).toBe(true);
    expect(await indexed(documents, one('id', 'admin'))).toBe(true);
  });

  test('saved filters', async () => {
    const documents = await deps.store.collection<SavedFilterDocument>('saved_filters', savedFilterIndexes);
    const { ofUser, shared, byIds } = savedFilterQueries;
    expect(await indexed(documents, ofUser('u'), { name_key: 1 })).toBe(true);
    expect(await indexed(documents, shared, { name_key: 1 })).toBe(true);
    expect(await indexed(documents, byIds(['a', 'b']))).toBe(true);
  });

  test('sessions', async () => {
    const { store } = deps;
    const documents = await store.collection<SessionDocument>('sessions', sessionIndexes);
    const now = new Date().toISOString();
    expect(await indexed(documents, sessionQueries.live(['a', 'b'], now))).toBe(true);
    expect(await indexed(documents, sessionQueries.expired(now))).toBe(true);
    expect(await indexed(documents, sessionQueries.liveOfUser('u', now), { expires_at: -1 })).toBe(true);
    expect(await indexed(documents, sessionQueries.one('a', 'u'))).toBe(true);
    expect(await indexed(documents, sessionQueries.ofUser('u'))).toBe(true);
    expect(await indexed(documents, sessionQueries.othersOfUser('u', 'a'))).toBe(true);
  });

  test('users', async () => {
    const documents = await deps.store.collection<UserDocument>('users', userIndexes);
    expect(await indexed(documents, userQueries.byName('Admin'))).toBe(true);
    expect(await indexed(documents, userQueries.administrators)).toBe(true);
    expect(await indexed(documents, {}, { name_key: 1 })).toBe(true);
  });

  test('login attempts', async () => {
    const { store } = deps;
    const documents = await store.collection<LoginAttemptDocument>('login_attempts', loginAttemptIndexes);
    expect(await indexed(documents, loginAttemptQueries.byIds(['a', 'b']))).toBe(true);
    expect(await indexed(documents, loginAttemptQueries.asSeen('a', 1))).toBe(true);
    expect(await indexed(documents, loginAttemptQueries.forgotten(1))).toBe(true);
  });
});
