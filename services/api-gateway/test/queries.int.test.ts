import { describeLanes, type LaneDeps } from '@order-automation/testing';
import {
  applicationPasswordIndexes,
  applicationPasswordQueries,
  loginAttemptIndexes,
  loginAttemptQueries,
  sessionIndexes,
  sessionQueries,
} from '../src';
import type { ApplicationPasswordDocument } from '../src/collections/application-passwords';
import type { LoginAttemptDocument } from '../src/collections/login-attempts';
import type { SessionDocument } from '../src/collections/sessions';

describeLanes('every query of the gateway walks an index', (lane) => {
  let deps: LaneDeps;
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
    expect(await store.explain(documents, byHash(['a', 'b']))).toMatchObject({ usesIndex: true });
    expect(await store.explain(documents, ofUser('admin'), { created_at: 1 })).toMatchObject({ usesIndex: true });
    expect(await store.explain(documents, one('id', 'admin'))).toMatchObject({ usesIndex: true });
  });

  test('sessions', async () => {
    const { store } = deps;
    const documents = await store.collection<SessionDocument>('sessions', sessionIndexes);
    const now = new Date().toISOString();
    expect(await store.explain(documents, sessionQueries.live(['a', 'b'], now))).toMatchObject({ usesIndex: true });
    expect(await store.explain(documents, sessionQueries.expired(now))).toMatchObject({ usesIndex: true });
  });

  test('login attempts', async () => {
    const { store } = deps;
    const documents = await store.collection<LoginAttemptDocument>('login_attempts', loginAttemptIndexes);
    const seen = { failures: 1, windowStart: 2, lastAttempt: 3 };
    expect(await store.explain(documents, loginAttemptQueries.byIds(['a', 'b']))).toMatchObject({ usesIndex: true });
    expect(await store.explain(documents, loginAttemptQueries.asSeen('a', seen))).toMatchObject({ usesIndex: true });
    expect(await store.explain(documents, loginAttemptQueries.forgotten(1))).toMatchObject({ usesIndex: true });
  });
});
