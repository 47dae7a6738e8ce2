export type QueueLimits = {
  /** Pieces of work at once. */
  readonly inFlight: number;
  /** Pieces that wait for their turn; a further one is refused at once. */
  readonly waiting: number;
};

export class QueueError extends Error {
  constructor(readonly reason: 'queue_full' | 'queue_timeout') {
    super(reason === 'queue_full' ? 'too many are waiting' : 'the wait for a turn was too long');
  }
}

export type WaitingQueue = ReturnType<typeof waitingQueue>;

/** A limit of work in flight, with a bounded queue before it. */
export function waitingQueue(limits: QueueLimits) {
  // Insertion order is the order of turns; one that gave up leaves from the middle.
  const turns = new Set<() => void>();
  let inFlight = 0;

  const turn = (timeout: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        turns.delete(begin);
        clearTimeout(deadline);
      };
      const begin = (): void => {
        leave();
        inFlight += 1;
        resolve();
      };
      const deadline = setTimeout(() => {
        leave();
        reject(new QueueError('queue_timeout'));
      }, timeout);
      turns.add(begin);
    });
  const next = (): void => {
    const [begin] = turns;
    if (inFlight < limits.inFlight) begin?.();
  };

  return {
    /** Does the work when it is its turn, first come first served. Rejects with `QueueError` when none waits any more, or none came within `timeout` milliseconds. */
    run: async <T>(work: () => Promise<T>, timeout: number): Promise<T> => {
      if (inFlight < limits.inFlight) inFlight += 1;
      else if (turns.size < limits.waiting) await turn(timeout);
      else throw new QueueError('queue_full');
      try {
        return await work();
      } finally {
        inFlight -= 1;
        next();
      }
    },
    /** Lets everything that waits begin now, whatever the limit: what would refuse it does so faster than a wait. */
    flush: (): void => {
      for (const begin of [...turns]) begin();
    },
    inFlight: () => inFlight,
    waiting: () => turns.size,
  };
}
