import type { DestinationStream } from 'pino';

type Fact = string | number | boolean | object | null | undefined;

/**
 * Log lines for people: one readable line each. Of an error its message; the stack is in the JSON that a log without a terminal has. The library is
 * loaded here, because a service without a terminal never needs it.
 */
export async function terminalLog(): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty');
  return pretty({
    sync: true,
    destination: 1,
    colorize: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid,hostname,name,service',
    messageFormat: '{if service}{service}: {end}{msg}',
    singleLine: true,
    errorLikeObjectKeys: [],
    customPrettifiers: { err: (error: Fact) => errorLine(error) },
  });
}

export function errorLine(error: Fact): string {
  const { message, code } = (error ?? {}) as { message?: unknown; code?: unknown };
  const [line = ''] = String(message ?? error).split('\n');
  return code === undefined ? line : `${line} (${String(code)})`;
}
