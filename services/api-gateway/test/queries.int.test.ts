import type { Store } from '@order-automation/store';
import { describeLanes, type LaneDeps } from '@order-automation/testing';
import { recordedQueries } from '../../../shared/store/test/recorded-queries';
import { openApplicationPasswords } from '../src/collections/application-passwords';
import { openLoginAttempts } from '../src/collections/login-attempts';
import { openSavedFilters } from '../src/collections/saved-filters';
import { openSessions } from '../src/collections/sessions';
import { openUsers } from '../src/collections/users';

/**
 * SecantusDB sorts what it found by a prefix of an index, and explains a filter on `_id` and another field as a scan; MongoDB and SQLite
 * walk the index in order, and the primary key.
 */
const known = ['SORT < FETCH < IXSCAN', 'COLLSCAN'];

describeLanes('every query of the gateway walks an index', (lane) => {
  let deps: LaneDeps;

  /** Queries of what `work` does with a collection that walk no index; fails where it sends fewer than `queries`. */
  const scans = async (queries: number, work: (store: Store) => Promise<unknown>) => {
    const { store, plans } = recordedQueries(deps.store);
    await work(store);
    const all = await plans();
    expect(all.length).toBeGreaterThanOrEqual(queries);
    return all.filter(({ usesIndex, engine, detail, filter, sort }) => {
      const byKeyAndMore = '_id' in filter && Object.keys(filter).length > 1;
      return !usesIndex && !(engine === 'secantus' && known.includes(detail) && (sort !== undefined || byKeyAndMore));
    });
  };
  const now = new Date().toISOString();

  beforeAll(async () => {
    deps = await lane.deps();
  });
  afterAll(() => deps.close());

  test('application passwords', async () => {
    const walk = async (store: Store) => {
      const passwords = await openApplicationPasswords(store);
      await passwords.findByHash(['a', 'b']);
      await passwords.ofUser('admin');
      await passwords.used('id', now);
      await passwords.remove('id', 'admin');
      await passwords.removeAll('admin');
    };
    expect(await scans(5, walk)).toEqual([]);
  });

  test('saved filters', async () => {
    const walk = async (store: Store) => {
      const filters = await openSavedFilters(store);
      const own = { _id: 'own', user_id: 'u', owner: 'u', name: 'own', shared: false, filter: {} };
      await filters.add({ ...own, created_at: now, updated_at: now });
      await filters.find('a');
      await filters.visibleTo('u');
      await filters.countOf('u');
      await filters.countShared();
      await filters.change('a', { name: 'b', updated_at: now });
      await filters.remove('a');
      await filters.removePrivate('u');
    };
    expect(await scans(9, walk)).toEqual([]);
  });

  test('sessions', async () => {
    const walk = async (store: Store) => {
      const sessions = await openSessions(store);
      await sessions.findLive(['a', 'b'], now);
      await sessions.ofUser('u', now);
      await sessions.remove('a', 'u');
      await sessions.removeAll('u');
      await sessions.removeAll('u', 'a');
      await sessions.removeExpired(now);
    };
    expect(await scans(6, walk)).toEqual([]);
  });

  test('users', async () => {
    const walk = async (store: Store) => {
      const users = await openUsers(store);
      await users.find('a');
      await users.findByName('Admin');
      await users.page(1, 20);
      await users.change('a', { email: null });
      await users.remove('a');
      await users.administrators();
    };
    expect(await scans(6, walk)).toEqual([]);
  });

  test('login attempts', async () => {
    const walk = async (store: Store) => {
      const attempts = await openLoginAttempts(store);
      const counter = { revision: 1, failures: 0, last_attempt: 0, recent: [] };
      await attempts.read(['a', 'b']);
      await attempts.write('a', counter, { ...counter, revision: 2 });
      await attempts.remember('b', 0);
      await attempts.remember('b', 1);
      await attempts.forget('a');
      await attempts.removeForgotten(1);
    };
    expect(await scans(5, walk)).toEqual([]);
  });
});
