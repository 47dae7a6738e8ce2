import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { describeLanes, type LaneDeps, waitFor } from '@order-automation/testing';
import { ConfigError, openKeyRing, type SharedKeyRing, sealer } from '../src';

const key = (fill: number) => Buffer.alloc(32, fill);
const [older, newer] = [key(1), key(2)];
/** Milliseconds between two heartbeats. */
const every = 20;

describeLanes('the keys of SECRET_KEY', (lane) => {
  let deps: LaneDeps;
  const open: SharedKeyRing[] = [];
  beforeEach(async () => {
    deps = await lane.deps();
  });
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
    await deps.close();
  });
  const start = async (...keys: Buffer[]): Promise<SharedKeyRing> => {
    const ring = await openKeyRing(keys, { ...deps, every });
    open.push(ring);
    return ring;
  };
  const end = async (ring: SharedKeyRing): Promise<void> => {
    open.splice(open.indexOf(ring), 1);
    await ring.close();
  };
  const writesWith = (ring: SharedKeyRing) => ring.all[ring.current()];
  const refusalOf = (...keys: Buffer[]) => start(...keys).catch((error: unknown) => error);

  test('a key that the data were not written with stops the start, and no key is shown', async () => {
    await end(await start(older));
    const refusal = await refusalOf(newer);
    expect(refusal).toBeInstanceOf(ConfigError);
    expect(String(refusal)).toMatch(/SECRET_KEY: does not fit the data .* put it behind the new one/);
    expect(String(refusal)).not.toContain(older.toString('base64'));
    await start(older);
  });

  test('alone, a new key in front of the former one is written with at once; then the former one alone is refused', async () => {
    await end(await start(older));
    const both = await start(newer, older);
    expect(writesWith(both)).toEqual(newer);
    await end(both);
    await end(await start(newer));
    expect(await refusalOf(older)).toBeInstanceOf(ConfigError);
  });

  test('during a rolling restart every instance reads what any instance writes', async () => {
    let rings = [await start(older), await start(older), await start(older)];
    const written: string[] = [];
    const write = (): void => {
      for (const ring of rings) written.push(sealer(ring).seal(randomUUID(), 'test'));
      for (const ring of rings) for (const text of written) sealer(ring).open(text, 'test');
    };
    write();
    for (const ring of rings) {
      await end(ring);
      rings = [...rings.filter((one) => one !== ring), await start(newer, older)];
      write();
      await delay(5 * every);
      write();
    }
    await waitFor(async () => rings.every((ring) => writesWith(ring)?.equals(newer)));
    write();
    for (const ring of rings) {
      await end(ring);
      rings = [...rings.filter((one) => one !== ring), await start(newer)];
      expect(writesWith(rings.at(-1) as SharedKeyRing)).toEqual(newer);
    }
  });

  test('stored data are re-encrypted once all instances have the new key, and again until that succeeds', async () => {
    const first = await start(older);
    const second = await start(newer, older);
    let calls = 0;
    second.onRotation(async () => {
      calls += 1;
      if (calls === 1) throw new Error('the store is unavailable');
    });
    await delay(10 * every);
    expect([writesWith(second), calls]).toEqual([older, 0]);
    await end(first);
    await waitFor(async () => calls === 2 && writesWith(second)?.equals(newer) === true);
    await delay(5 * every);
    expect(calls).toBe(2);
  });

  test('an instance that was killed keeps the former key active until it has missed its heartbeats', async () => {
    await end(await start(older));
    const instances = await deps.store.collection<{ _id: string; fingerprints: string[]; heartbeat: number }>(
      'secret_key_instances',
    );
    await instances.insertOne({ _id: 'killed', fingerprints: ['of the former key'], heartbeat: 7 });
    const both = await start(newer, older);
    expect(writesWith(both)).toEqual(older);
    await waitFor(async () => writesWith(both)?.equals(newer) === true);
    expect(await instances.findOne({ _id: 'killed' })).toBeNull();
  });

  test('an instance with the former key alone is refused after the rotation, and does not undo it', async () => {
    const both = await start(newer, older);
    expect(await refusalOf(older)).toBeInstanceOf(ConfigError);
    await delay(5 * every);
    expect(writesWith(both)).toEqual(newer);
  });
});
