import { authenticityRefusal } from '../refusal';

/** What the wallet says about a notification; undefined: no such answer. */
export type PostBack = (body: Buffer, timeout: number) => Promise<boolean | undefined>;

export const disowned = authenticityRefusal(
  'ipn_invalid',
  'The wallet says that it did not send this notification (INVALID).',
);

const prefix = Buffer.from('cmd=_notify-validate&');
const longestAnswer = 1024;
const maxInFlight = 32;

/** Sends a notification back to the address that is set and asks whether the wallet sent it. Never rejects. */
export function postBack(url: () => string): PostBack {
  let inFlight = 0;
  return async (body, timeout) => {
    if (inFlight >= maxInFlight) return undefined;
    inFlight += 1;
    try {
      const response = await fetch(url(), {
        method: 'POST',
        body: Buffer.concat([prefix, body]),
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'order-automation' },
        redirect: 'error',
        signal: AbortSignal.timeout(timeout),
      });
      const word = response.ok ? (await firstBytes(response)).trim() : undefined;
      return word === 'VERIFIED' ? true : word === 'INVALID' ? false : undefined;
    } catch {
      return undefined;
    } finally {
      inFlight -= 1;
    }
  };
}

async function firstBytes(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk as Uint8Array);
    size += chunk.length;
    if (size > longestAnswer) break;
  }
  return Buffer.concat(chunks).toString('latin1');
}
