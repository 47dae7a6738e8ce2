import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { Commands } from '../commands';

/** `mcp`: what an assistant on this machine can ask, over standard input and output, until it closes them. */
export const mcp: Commands = {
  mcp: async (_: unknown, { api, input, signal }) => {
    const { client } = api();
    const { mcpServer, StdioServerTransport } = await import('@order-automation/api-gateway/mcp');
    const server = mcpServer(client);
    await server.connect(new StdioServerTransport(input as Readable));
    await Promise.race([once(input, 'end'), once(signal, 'abort')]);
    await server.close();
  },
};
