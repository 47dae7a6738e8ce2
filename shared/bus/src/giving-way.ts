import type { RequestType } from '@order-automation/contracts';

/** Events give way to these requests: whoever waits for an answer is served before effects are worked off. */
export type YieldTo = {
  /** Whether events wait while this request is under way. */
  readonly when: (type: RequestType, input: unknown) => boolean;
  /** Milliseconds without any of them after which events go on: senders that were just answered may be about to ask again. */
  readonly quiet: number;
  /** Milliseconds that events wait at most, from when the first of them began to. */
  readonly longest: number;
};

export type GivingWay = {
  /** Runs the request; events wait meanwhile if it is one of those they give way to. */
  during<T>(type: RequestType, input: unknown, request: () => Promise<T>): Promise<T>;
  /** Whether events may be handed out now. If not, `handOut` is called when they may. */
  mayHandOut(): boolean;
  /** From now on nothing waits. */
  end(): void;
};

/** `handOut` gives each free worker what waits, once. */
export function givingWay({ when, quiet, longest }: YieldTo, handOut: () => void): GivingWay {
  let underWay = 0;
  let waitingSince: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let resuming: NodeJS.Timeout | undefined;
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
    resuming = undefined;
    if (underWay === 0 && waitingSince !== undefined && !ended) oneRound();
  };

  const wait = (): void => {
    waitingSince ??= performance.now();
    timer ??= setTimeout(look, longest);
  };

  return {
    during: async (type, input, request) => {
      if (!when(type, input)) return request();
      underWay += 1;
      clearTimeout(resuming);
      resuming = undefined;
      try {
        return await request();
      } finally {
        underWay -= 1;
        if (underWay === 0 && waitingSince !== undefined) resuming = setTimeout(resume, quiet);
      }
    },
    mayHandOut: () => {
      if (ended || round || (underWay === 0 && resuming === undefined)) return true;
      wait();
      return false;
    },
    end: () => {
      ended = true;
      clearTimeout(timer);
      clearTimeout(resuming);
      handOut();
    },
  };
}
