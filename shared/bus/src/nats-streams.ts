import { silent } from './log';
import { openLink } from './nats-link';

/** The streams with this prefix that hold messages, by name. Rejects when NATS does not answer, or its user may not ask. */
export async function streamsWithMessages(servers: readonly string[], streamPrefix: string): Promise<string[]> {
  const link = await openLink({ servers, name: 'streams', log: silent });
  try {
    const manager = await link.manager();
    const found: string[] = [];
    for await (const { config, state } of manager.streams.list())
      if (config.name.startsWith(`${streamPrefix}-`) && state.messages > 0) found.push(config.name);
    return found;
  } finally {
    await link.close();
  }
}
