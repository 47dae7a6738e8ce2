import type { IncomingMessage } from 'node:http';

/** Bytes as sockets deliver them: of no shared memory. */
export type Bytes = Buffer<ArrayBuffer>;

export type BodyOutcome =
  | { readonly kind: 'complete'; readonly body: Bytes }
  /** Nothing was kept: too large, no room in memory, or too slow. `drained`: the whole body was read, so the connection can serve another request. */
  | { readonly kind: 'too_large'; readonly drained: boolean }
  | { readonly kind: 'overloaded' | 'too_slow'; readonly drained: boolean }
  /** The sender left; nobody reads an answer. */
  | { readonly kind: 'aborted' };

export type BodyLimits = {
  /** Bytes that all bodies together may hold, from the first byte until they are released. */
  readonly maxBytesInFlight: number;
  /** Milliseconds within which a body has to arrive. Default 15 s. */
  readonly timeout?: number;
};

export type BodyReader = ReturnType<typeof bodyReader>;

/** Every body is charged for its headers and the like, so that a flood of empty ones has a limit too. */
export const bodyOverhead = 1024;

/** After a refusal this much more is read and thrown away, so that the sender gets to see the answer. */
const maxDrained = 4 * 1024 * 1024;
const smallestBuffer = 4096;
const defaultTimeout = 15_000;
/** Milliseconds for which a body may arrive before a newer one that finds no room takes its place. */
const minHoldTime = 2_000;

const empty: Bytes = Buffer.alloc(0);

/** Reads bodies within limits that they share. A body grows in one buffer, however many pieces it comes in. */
export function bodyReader({ maxBytesInFlight, timeout = defaultTimeout }: BodyLimits) {
  const budget = new MemoryBudget(maxBytesInFlight);
  return {
    /**
     * Reads a body as it came, byte for byte, and calls `done` once. `release` gives back the memory that the body is charged for; it must be
     * called when the body has been used, and may be called again. Callbacks, not promises: webhooks are the hottest path there is.
     */
    collect: (req: IncomingMessage, maxBytes: number, done: Collecting['done']): void =>
      collect(new GrowingBody(budget, req, maxBytes), req, { maxBytes, timeout, done }),
    /** Charges memory that a body in pieces holds besides, until it is called off; undefined when there is no room. For handlers that read as it arrives. */
    charge: (bytes: number): (() => void) | undefined => budget.charge(bytes),
    bytesInFlight: () => budget.inFlight,
  };
}

type Collecting = {
  readonly maxBytes: number;
  readonly timeout: number;
  readonly done: (outcome: BodyOutcome, release: () => void) => void;
};

function collect(body: GrowingBody, req: IncomingMessage, { maxBytes, timeout, done }: Collecting): void {
  const announced = Number(req.headers['content-length'] ?? 0);
  let refused: 'too_large' | Refused = announced > maxBytes ? 'too_large' : body.charge(bodyOverhead);
  let size = 0;
  let settled = false;

  const settle = (outcome: BodyOutcome): void => {
    if (settled) return;
    settled = true;
    clearTimeout(deadline);
    if (outcome.kind === 'complete') body.complete();
    else body.release();
    done(outcome, () => body.release());
  };
  const deadline = setTimeout(() => settle({ kind: 'too_slow', drained: false }), timeout);
  deadline.unref();
  body.onEvicted = () => settle({ kind: 'overloaded', drained: false });

  req.on('data', (chunk: Bytes) => {
    if (settled) return;
    size += chunk.length;
    if (refused === undefined) {
      if (size > maxBytes) refused = 'too_large';
      else refused = body.append(chunk);
      if (refused !== undefined) body.release();
    }
    if (refused !== undefined && size > maxBytes + maxDrained) settle({ kind: refused, drained: false });
  });
  req.on('end', () => {
    if (refused === undefined) settle({ kind: 'complete', body: body.bytes() });
    else settle({ kind: refused, drained: true });
  });
  // 'close' follows every error and says enough.
  req.on('error', () => undefined);
  req.on('close', () => settle({ kind: 'aborted' }));
  if (announced > maxBytes + maxDrained) settle({ kind: 'too_large', drained: false });
}

type Refused = 'overloaded' | undefined;

class MemoryBudget {
  inFlight = 0;
  /** Bodies that came in pieces and are not whole yet, oldest first. */
  readonly unfinished = new Set<GrowingBody>();

  constructor(private readonly maxInFlight: number) {}

  charge(bytes: number): (() => void) | undefined {
    if (!this.fits(bytes)) return undefined;
    this.inFlight += bytes;
    let charged = bytes;
    return () => {
      this.inFlight -= charged;
      charged = 0;
    };
  }

  /** Whether this many bytes more may be held. When there is no room the slowest sender makes some: an honest one needs milliseconds. */
  fits(bytes: number): boolean {
    while (this.inFlight + bytes > this.maxInFlight) {
      const [oldest] = this.unfinished;
      if (oldest === undefined || performance.now() - oldest.since < minHoldTime) return false;
      oldest.release();
      oldest.onEvicted();
    }
    return true;
  }
}

/** A whole body in one piece stays as it came; anything else is copied, so that no piece keeps more memory than its own. */
class GrowingBody {
  readonly since = performance.now();
  onEvicted: () => void = () => undefined;
  private readonly maxSize: number;
  private buffer = empty;
  private size = 0;
  private charged = 0;
  private released = false;

  constructor(
    private readonly budget: MemoryBudget,
    req: IncomingMessage,
    maxBytes: number,
  ) {
    this.maxSize = Math.min(maxBytes, Number(req.headers['content-length'] ?? maxBytes));
  }

  append(chunk: Bytes): Refused {
    const needed = this.size + chunk.length;
    const whole = this.size === 0 && needed === this.maxSize;
    const refused = whole ? this.charge(needed) : this.grow(needed);
    if (refused !== undefined) return refused;
    if (whole) this.buffer = chunk;
    else chunk.copy(this.buffer, this.size);
    this.size = needed;
    return undefined;
  }

  bytes(): Bytes {
    return this.size === this.buffer.length ? this.buffer : this.buffer.subarray(0, this.size);
  }

  /** All has arrived: nobody pushes this body out any more. */
  complete(): void {
    this.budget.unfinished.delete(this);
  }

  release(): void {
    this.complete();
    this.budget.inFlight -= this.charged;
    this.charged = 0;
    this.buffer = empty;
    this.released = true;
  }

  /** Makes room for this many bytes in all. */
  private grow(needed: number): Refused {
    if (needed <= this.buffer.length) return undefined;
    const capacity = Math.max(needed, Math.min(this.maxSize, Math.max(smallestBuffer, this.buffer.length * 2)));
    this.budget.unfinished.add(this);
    const refused = this.charge(capacity - this.buffer.length);
    if (refused !== undefined) return refused;
    const larger = Buffer.allocUnsafeSlow(capacity);
    this.buffer.copy(larger, 0, 0, this.size);
    this.buffer = larger;
    return undefined;
  }

  charge(bytes: number): Refused {
    // It may itself be the slowest, and be pushed out here.
    if (!this.budget.fits(bytes) || this.released) return 'overloaded';
    this.budget.inFlight += bytes;
    this.charged += bytes;
    return undefined;
  }
}
