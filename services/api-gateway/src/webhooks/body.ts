import type { IncomingMessage } from 'node:http';

/** decisions.md section 6: bytes of the largest body. */
export const maxWebhookBody = 1024 * 1024;

/** Bytes that are read and thrown away after the limit, so that the sender gets to see the answer. */
const drained = 4 * 1024 * 1024;

/** What sockets deliver: bytes of no shared memory. */
type Bytes = Buffer<ArrayBuffer>;

export type BodyOutcome =
  | { readonly kind: 'complete'; readonly body: Bytes }
  /** `drained`: everything the sender had was read, and the connection can go on. */
  | { readonly kind: 'too_large'; readonly drained: boolean }
  | { readonly kind: 'aborted' };

/** Reads the body as it came, byte for byte, and calls back once. Callbacks, not promises: this is the hottest path there is. */
export function collectBody(req: IncomingMessage, done: (outcome: BodyOutcome) => void): void {
  let first: Bytes | undefined;
  let rest: Bytes[] | undefined;
  let size = 0;
  let settled = false;

  const settle = (outcome: BodyOutcome): void => {
    if (settled) return;
    settled = true;
    done(outcome);
  };
  req.on('data', (chunk: Bytes) => {
    size += chunk.length;
    if (size > maxWebhookBody) {
      first = undefined;
      rest = undefined;
      if (size > maxWebhookBody + drained) settle({ kind: 'too_large', drained: false });
    } else if (first === undefined) first = chunk;
    else if (rest === undefined) rest = [chunk];
    else rest.push(chunk);
  });
  req.on('end', () => {
    if (size > maxWebhookBody) settle({ kind: 'too_large', drained: true });
    else settle({ kind: 'complete', body: whole(first, rest, size) });
  });
  // 'close' follows every error and says enough.
  req.on('error', ignore);
  req.on('close', () => settle({ kind: 'aborted' }));
}

const empty = Buffer.alloc(0);

function ignore(): void {}

function whole(first: Bytes | undefined, rest: Bytes[] | undefined, size: number): Bytes {
  if (first === undefined) return empty;
  return rest === undefined ? first : Buffer.concat([first, ...rest], size);
}
