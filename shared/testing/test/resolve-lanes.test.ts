import { announceLanes, fromEnvironment, lanes } from './resolve-lanes';

const before = { ...process.env };
afterEach(() => {
  process.env = { ...before };
});

test('a server is named by the environment, or missing with a reason', () => {
  delete process.env.NATS_URL;
  process.env.MONGODB_URI = 'mongodb://127.0.0.1:27017';
  expect(fromEnvironment()).toEqual({
    nats: { missing: 'no NATS_URL' },
    mongodb: { uri: 'mongodb://127.0.0.1:27017' },
  });
});

test('what was announced is what workers see', () => {
  announceLanes({ nats: { uri: 'nats://a' }, mongodb: { missing: 'no engine' } });
  expect(lanes()).toEqual({ nats: { uri: 'nats://a' }, mongodb: { missing: 'no engine' } });
});

test('each worker of jest takes one of the servers in turn', () => {
  announceLanes({ nats: { missing: 'no engine' }, mongodb: { uri: 'mongodb://a  mongodb://b' } });
  const ofWorker = (id: string) => {
    process.env.JEST_WORKER_ID = id;
    return lanes().mongodb;
  };
  expect(['1', '2', '3'].map(ofWorker)).toEqual(['a', 'b', 'a'].map((host) => ({ uri: `mongodb://${host}` })));
});
