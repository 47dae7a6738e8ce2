import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { connect } from 'nats';
import { lanes } from './resolve-lanes';

/** A name that nothing on the servers has yet; in front of streams and databases it keeps a test apart from all others. */
export const freshNamespace = (prefix = 't'): string => `${prefix}_${randomBytes(5).toString('hex')}`;

export async function dropNamespace(namespace: string): Promise<void> {
  const { nats, mongodb } = lanes();
  await Promise.all([
    'uri' in nats ? dropStreams(nats.uri, namespace) : undefined,
    'uri' in mongodb ? dropDatabases(mongodb.uri, namespace) : undefined,
  ]);
}

export async function dropStreams(servers: string, namespace: string): Promise<void> {
  const connection = await connect({ servers });
  const manager = await connection.jetstreamManager();
  for await (const name of manager.streams.names())
    if (name.startsWith(`${namespace}-`)) await manager.streams.delete(name);
  await connection.close();
}

export async function dropDatabases(uri: string, namespace: string): Promise<void> {
  const client = await MongoClient.connect(uri, { serverSelectionTimeoutMS: 5_000 });
  const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
  for (const { name } of databases) if (name.startsWith(`${namespace}_`)) await client.db(name).dropDatabase();
  await client.close();
}
