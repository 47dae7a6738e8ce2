import { describeLanes, type LaneDeps } from '@order-automation/testing';
import { ConfigError, checkSecretKey } from '../src';

const key = (fill: number) => Buffer.alloc(32, fill);

describeLanes('the fingerprint of SECRET_KEY', (lane) => {
  let deps: LaneDeps;
  beforeEach(async () => {
    deps = await lane.deps();
  });
  afterEach(() => deps.close());

  test('a key that the data were not written with stops the start, and no key is shown', async () => {
    await checkSecretKey(deps.store, [key(1)]);
    await checkSecretKey(deps.store, [key(1)]);
    const refusal = await checkSecretKey(deps.store, [key(2)]).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ConfigError);
    expect(String(refusal)).toMatch(/SECRET_KEY: does not fit the data .* put it behind the new one/);
    expect(String(refusal)).not.toContain(key(1).toString('base64'));
    await checkSecretKey(deps.store, [key(1)]);
  });

  test('a new key in front of the former one rotates; then the former one alone is refused', async () => {
    await checkSecretKey(deps.store, [key(1)]);
    await checkSecretKey(deps.store, [key(2), key(1)]);
    await checkSecretKey(deps.store, [key(2)]);
    await expect(checkSecretKey(deps.store, [key(1)])).rejects.toThrow('SECRET_KEY');
  });
});
