import { type Documents, type Store, StoreUnavailableError } from '@order-automation/store';
import { describeLanes, type LaneDeps } from '@order-automation/testing';
import { pino } from 'pino';
import { type EndpointDocument, openEndpoints } from '../src/connections/endpoints';

const at = '2026-01-01T00:00:00.000Z';
const refusal = { code: 'signature_mismatch', text: 'The signature does not match.' } as const;

describeLanes('counts of endpoints', (lane) => {
  let deps: LaneDeps;

  beforeEach(async () => {
    deps = await lane.deps();
  });
  afterEach(() => deps.close());

  const open = (store: Store) =>
    openEndpoints({ store, log: pino({ enabled: false }), settingsChanged: async () => undefined }, () => true);

  test('who asks while they are being stored gets all of them', async () => {
    let store = (): void => undefined;
    const slow = new Promise<void>((resolve) => {
      store = resolve;
    });
    const endpoints = await open(updating(deps.store, () => slow));
    endpoints.count('generic/erp', 'accepted', at);
    const storing = endpoints.refresh();
    const asked = endpoints.get('generic/erp');
    setTimeout(store, 50);
    expect(await asked).toMatchObject({ accepted: 1, refused: 0 });
    await storing;
  });

  test('what could not be stored is stored with the next ones', async () => {
    let refusals = 1;
    const endpoints = await open(
      updating(deps.store, async () => {
        refusals -= 1;
        if (refusals >= 0) throw new StoreUnavailableError('the disk is full');
      }),
    );
    endpoints.count('generic/erp', 'accepted', at);
    endpoints.count('generic/erp', 'refused', at, refusal);
    await endpoints.refresh();
    expect(await (await open(deps.store)).get('generic/erp')).toMatchObject({ accepted: 0 });
    endpoints.count('generic/erp', 'accepted', at);
    expect(await endpoints.get('generic/erp')).toMatchObject({ accepted: 2, refused: 1, last_refusal: refusal });
    expect(await endpoints.get('generic/erp')).toMatchObject({ accepted: 2, refused: 1 });
  });
});

/** The store as it is, with `before` before each update. */
function updating(store: Store, before: () => Promise<void>): Store {
  const collection = async (name: string) => {
    const documents = await store.collection<EndpointDocument>(name);
    const updateOne: Documents<EndpointDocument>['updateOne'] = async (...update) => {
      await before();
      return documents.updateOne(...update);
    };
    return new Proxy(documents, {
      get: (target, key: keyof Documents<EndpointDocument>) => {
        if (key === 'updateOne') return updateOne;
        const value = target[key];
        return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
      },
    });
  };
  return { ...store, collection: collection as unknown as Store['collection'] };
}
