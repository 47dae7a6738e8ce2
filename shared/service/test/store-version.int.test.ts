import type { Store } from '@order-automation/store';
import { describeLanes } from '@order-automation/testing';
import { checkStoreVersion, storeVersion } from '../src';

type Version = { readonly _id: string; readonly version: number };

describeLanes('the version of what is stored', (lane) => {
  let store: Store;
  beforeEach(async () => {
    store = await lane.store();
  });
  const versions = () => store.collection<Version>('store_version');

  test('data of this version, or of none yet, opens', async () => {
    await checkStoreVersion(store, 'rules', 'DATA_DIR');
    await checkStoreVersion(store, 'rules', 'DATA_DIR');
    expect(await (await versions()).find({}).toArray()).toEqual([{ _id: 'store', version: storeVersion }]);
  });

  test('data of the version before is raised, so that the version before does not open it again', async () => {
    await (await versions()).insertOne({ _id: 'store', version: storeVersion - 1 });
    await checkStoreVersion(store, 'rules', 'DATA_DIR');
    expect(await (await versions()).find({}).toArray()).toEqual([{ _id: 'store', version: storeVersion }]);
  });

  test('data of a newer version is refused with what to do', async () => {
    await checkStoreVersion(store, 'rules', 'MONGODB_URI');
    await (await versions()).updateOne({ _id: 'store' }, { $set: { version: storeVersion + 1 } });
    await expect(checkStoreVersion(store, 'rules', 'MONGODB_URI')).rejects.toThrow(
      `MONGODB_URI: holds data of a newer version of this product (rules: ${storeVersion + 1}`,
    );
  });

  test('several instances of a service start at once', async () => {
    await Promise.all(Array.from({ length: 4 }, () => checkStoreVersion(store, 'audit', 'DATA_DIR')));
    expect(await (await versions()).countDocuments({})).toBe(1);
  });
});
