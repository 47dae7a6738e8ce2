import { MongoClient } from 'mongodb';

// mongodb/specifications, mongodb-handshake: a server refuses a client whose `driver` is missing, as MongoDB's driver is where it cannot import `os`.
test('under jest too the driver says what it is', async () => {
  const { options } = new MongoClient('mongodb://127.0.0.1:1');
  const { metadata } = options as typeof options & { readonly metadata: Promise<object> };
  expect(await metadata).toMatchObject({ driver: { name: 'nodejs' }, os: { type: expect.any(String) } });
});
