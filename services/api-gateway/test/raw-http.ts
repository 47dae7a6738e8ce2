import { connect, type Socket } from 'node:net';

export type RawAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Opens a connection and collects what comes back; for what no HTTP client would send. */
export async function rawConnection(port: number) {
  const socket: Socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    text += chunk;
  });
  socket.on('error', () => undefined);
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
  await new Promise((resolve) => socket.once('connect', resolve));
  return { socket, received: () => text, ended };
}

/** Sends bytes as they are and resolves with the answer, once the server has closed the connection. */
export async function rawRequest(port: number, ...parts: readonly (string | Buffer)[]): Promise<RawAnswer> {
  const { socket, ended } = await rawConnection(port);
  for (const part of parts) socket.write(part);
  return parseAnswer(await ended);
}

export function parseAnswer(text: string): RawAnswer {
  const [head = '', body = ''] = text.split(/\r\n\r\n([\s\S]*)/, 2);
  const [first = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 1).trim(),
  ]);
  return { status: Number(first.split(' ')[1]), headers: Object.fromEntries(headers), body };
}
