import type { AnswerTo, Call, Routes } from '@order-automation/api-gateway/client';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { api, type Body, connection, revision } from './session';

/** Why something could not be done, for people. */
export type Failure = {
  readonly message: string;
  readonly code: string;
  readonly status: number;
  readonly requestId: string;
  readonly violations: readonly Violation[];
};
export type Violation = { readonly path: string; readonly message: string };

export type Refusal = Extract<AnswerTo<'GET /v1/rules'>, { ok: false }>;
type Success<T> = { readonly ok: true; readonly body: T };
/** Asks the service for something, and gives its answer or why it was refused. */
export type Work<T> = () => Promise<Success<T> | Refusal>;

/** What is left to be said where the fields say the rest. */
export function withoutMarked(failure: Failure, isMarked: (violation: Violation) => boolean): Failure {
  const violations = failure.violations.filter((one) => !isMarked(one));
  const isShown = failure.violations.length > 0 && violations.length === 0;
  return { ...failure, violations, ...(isShown && { message: 'Check the marked fields.' }) };
}

const unreachable: Failure = {
  message:
    'The service cannot be reached. This page loads again when it is back. What you entered stays: submit it again then.',
  code: 'unreachable',
  status: 0,
  requestId: '',
  violations: [],
};

const reached: Failure = {
  ...unreachable,
  message: 'The service is back. It may not have received what you sent last: try again.',
};

type Outcome<T> = { readonly data?: T; readonly failure?: Failure };

async function outcomeOf<T>(work: Work<T>): Promise<Outcome<T>> {
  try {
    const answer = await work();
    if (answer.ok) return { data: answer.body };
    const { status, requestId, body } = answer;
    const violations = (body.data.violations ?? []) as Violation[];
    return { failure: { message: body.message, code: body.code, status, requestId, violations } };
  } catch (error) {
    if (error instanceof TypeError) return { failure: unreachable };
    throw error;
  }
}

export type Loaded<T> = {
  readonly data: T | undefined;
  readonly failure: Failure | undefined;
  readonly loading: boolean;
  /** Reads again; what is shown stays until then. */
  reload(): Promise<void>;
};

/** Reads what a page shows, again when one of `inputs` changes and when the service is back after an outage. */
export function useLoad<T>(work: Work<T>, inputs: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<Outcome<T> & { readonly loading: boolean }>({ loading: true });
  const latest = useRef(0);
  const reload = useCallback(async () => {
    const turn = ++latest.current;
    setState((before) => ({ ...before, loading: true }));
    const outcome = await outcomeOf(work);
    if (turn === latest.current) setState({ ...outcome, loading: false });
  }, inputs);
  const { value: reachedAgain } = revision;
  useEffect(() => {
    void reload();
    return () => {
      latest.current += 1;
    };
  }, [reload, reachedAgain]);
  return { data: state.data, failure: state.failure, loading: state.loading, reload };
}

/** Reads a route, again when what it is called with changes. */
export function useGet<Name extends keyof Routes>(name: Name, ...call: Call<Name>): Loaded<Body<Name>> {
  const read = () => api(name, ...call) as ReturnType<Work<Body<Name>>>;
  return useLoad(read, [name, JSON.stringify(call)]);
}

export type Action = ReturnType<typeof useAction>;

/** Something that a person sets off. */
export function useAction() {
  const [state, setState] = useState<{ busy: boolean; failure?: Failure | undefined }>({ busy: false });
  return {
    busy: state.busy,
    failure: state.failure === unreachable && connection.value !== 'lost' ? reached : state.failure,
    /** Calls the service; undefined when it refused, which `failure` explains. */
    run: async <T>(work: Work<T>): Promise<T | undefined> => {
      setState({ busy: true });
      const { data, failure } = await outcomeOf(work);
      setState({ busy: false, failure });
      return data;
    },
    /** What is wrong with a field, by its path. */
    problem: (path: string) => state.failure?.violations.find((violation) => violation.path === path)?.message,
    clear: () => setState({ busy: false }),
  };
}

/** Milliseconds between two looks at something that is not finished. */
export const lookEvery = 2_000;

/** Does the work every so many milliseconds, while it is `on` and the page is in sight. */
export function useEvery(pause: number, work: () => unknown, on = true): void {
  const latest = useRef(work);
  latest.current = work;
  useEffect(() => {
    if (!on) return;
    const timer = setInterval(() => void (document.hidden || latest.current()), pause);
    return () => clearInterval(timer);
  }, [on]);
}

/** Asks once nothing has changed for so many milliseconds; the answer is used unless something changed meanwhile. */
export function useSettled<T>(
  pause: number,
  work: () => Promise<T> | undefined,
  use: (found: T) => void,
  inputs: readonly unknown[],
): void {
  useEffect(() => {
    let current = true;
    const timer = setTimeout(() => {
      work()?.then(
        (found) => current && use(found),
        () => undefined,
      );
    }, pause);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, inputs);
}
