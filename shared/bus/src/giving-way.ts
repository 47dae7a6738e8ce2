import type { RequestType } from '@order-automation/contracts';

/** Events give way to these requests: whoever waits for an answer is served before effects are worked off. */
export type YieldTo = {
  readonly requests: readonly RequestType[];
  /** How many of them must be under way at once: fewer are no crowd, and events do not wait. */
  readonly atLeast: number;
  /** Milliseconds that events wait at most, from when the first of them began to. */
  readonly longest: number;
};

export type GivingWay = {
  /** Runs the request; events wait meanwhile if it is one of those they give way to. */
  during<T>(type: RequestType, request: () => Promise<T>): Promise<T>;
  /** Whether events may be handed out now. If not, `handOut` is called when they may. */
  mayHandOut(): boolean;
  /** From now on nothing waits. */
  end(): void;
};

/** `handOut` gives each free worker what waits, once. */
export function givingWay({ requests, atLeast, longest }: YieldTo, handOut: () => void): GivingWay {
  const first = new Set<RequestType>(requests);
  let underWay = 0;
  let waitingSince: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let round = false;
  let ended = false;

  const oneRound = (): void => {
    waitingSince = undefined;
    round = true;
    handOut();
    round = false;
  };

  // One timer at a time, left to run when the wait is over before it: the next wait sets it to what is left.
  const look = (): void => {
    timer = undefined;
    if (waitingSince === undefined || ended) return;
    const left = waitingSince + longest - performance.now();
    if (left <= 0) oneRound();
    else timer = setTimeout(look, Math.ceil(left));
  };

  const resume = (): void => {
    if (underWay < atLeast && waitingSince !== undefined && !ended) oneRound();
  };

  const wait = (): void => {
    waitingSince ??= performance.now();
    timer ??= setTimeout(look, longest);
  };

  return {
    during: async (type, request) => {
      if (!first.has(type)) return request();
      underWay += 1;
      try {
        return await request();
      } finally {
        underWay -= 1;
        // In the next turn, after whoever asked has gone on with the answer.
        if (underWay < atLeast && waitingSince !== undefined) setImmediate(resume);
      }
    },
    mayHandOut: () => {
      if (ended || round || underWay < atLeast) return true;
      wait();
      return false;
    },
    end: () => {
      ended = true;
      clearTimeout(timer);
      handOut();
    },
  };
}
