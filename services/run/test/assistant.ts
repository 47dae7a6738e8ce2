import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { waitFor } from '@order-automation/testing';
import type { Running } from './products';

const orderctl = join(__dirname, '../../cli/bin/orderctl.js');

export type Answer = {
  readonly data: Record<string, never>;
  readonly cites: number[];
  readonly head: { readonly below_id: number; readonly checkpoint: string } | null;
  readonly not_yet_sealed: number[];
};
export type Login = { readonly user: string; readonly password: string };

export const basic = ({ user, password }: Login) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
export const transports = {
  'POST /mcp': ({ url }: Running, login: Login) =>
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers: { authorization: basic(login) } },
    }),
  'orderctl mcp': ({ url }: Running, { user, password }: Login) => {
    const env = { PATH: process.env.PATH ?? '', ORDERCTL_URL: url, ORDERCTL_USER: user, ORDERCTL_PASSWORD: password };
    return new StdioClientTransport({ command: process.execPath, args: [orderctl, 'mcp'], env, stderr: 'ignore' });
  },
};

/** What an assistant does: it connects, lists the tools and calls them. */
export async function assistant(running: Running, over: keyof typeof transports, login: Login) {
  const client = new Client({ name: 'an assistant', version: '1' });
  await client.connect(transports[over](running, login) as Transport);
  const once = async (name: string, input: Record<string, unknown>) => {
    const { isError = false, content, structuredContent } = await client.callTool({ name, arguments: input });
    const [{ text }, ...more] = content as [{ text: string }];
    expect(more).toEqual([]);
    return { isError, text, answer: structuredContent as Answer };
  };
  /** A service of a busy machine that does not answer in time is asked again, as a person would. */
  const call = (name: string, input: Record<string, unknown> = {}) =>
    waitFor(
      async () => {
        const result = await once(name, input);
        return result.isError && result.text.includes('"status":503') ? false : result;
      },
      { timeout: 60_000, describe: name },
    );
  return { client, call, tools: async () => (await client.listTools()).tools, close: () => client.close() };
}
