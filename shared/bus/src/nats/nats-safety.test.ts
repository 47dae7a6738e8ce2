import { StorageType, type StreamInfo } from 'nats';
import { type Facts, unsafeSettings } from './nats-safety';

const stream = (config: Partial<StreamInfo['config']> = {}) =>
  ({ name: 'rules-events', storage: StorageType.File, num_replicas: 3, ...config }) as StreamInfo['config'];
const safe: Facts = { maxPayload: 8 * 1024 * 1024, replicas: 3, streams: [stream()], syncAlways: true };

describe('settings of the server', () => {
  test('safe ones are not complained about, nor what cannot be known', () => {
    expect(unsafeSettings(safe)).toEqual([]);
    expect(unsafeSettings({ ...safe, syncAlways: undefined })).toEqual([]);
  });

  test.each<[string, Partial<Facts>]>([
    ['max_payload', { maxPayload: 1024 * 1024 }],
    ['replicas', { replicas: 1 }],
    ['storage of stream rules-events', { streams: [stream({ storage: StorageType.Memory })] }],
    ['replicas of stream rules-events', { streams: [stream({ num_replicas: 1 })] }],
    ['sync_interval', { syncAlways: false }],
  ])('%s is named when it is unsafe', (setting, change) => {
    expect(unsafeSettings({ ...safe, ...change })).toEqual([expect.stringContaining(setting)]);
  });

  test('all of them are named at once', () => {
    expect(unsafeSettings({ maxPayload: 1, replicas: 1, streams: [], syncAlways: false })).toHaveLength(3);
  });
});
