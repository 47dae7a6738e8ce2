import { type Msg, nuid } from 'nats';
import { BusError } from './errors';

/** Answers that are waited for, on one subscription for all of them. */
export type Answers = {
  /** The subject of the subscription that `heard` is the callback of. */
  readonly subject: string;
  /** Where to answer to, and the answer; rejects with BusError `timeout`, `no_responder`, or what `failAll` says. */
  expect(about: string, timeout: number): { readonly replyTo: string; readonly answer: Promise<Msg> };
  heard(msg: Msg): void;
  failAll(code: 'unavailable' | 'closed', text: string): void;
};

type Pending = {
  readonly about: string;
  readonly deadline: number;
  readonly resolve: (answer: Msg) => void;
  readonly reject: (error: BusError) => void;
};

/** Milliseconds: one timer looks for what is late, instead of one for each. */
const lookEvery = 25;
const noResponders = 503;

export function newAnswers(prefix: string): Answers {
  const inbox = `${prefix}.${nuid.next()}`;
  const pending = new Map<string, Pending>();
  let tokens = 0;
  let timer: NodeJS.Timeout | undefined;

  const stopLooking = (): void => {
    clearInterval(timer);
    timer = undefined;
  };

  const look = (): void => {
    const now = Date.now();
    for (const [token, { deadline, about, reject }] of pending) {
      if (deadline > now) continue;
      pending.delete(token);
      reject(new BusError('timeout', `${about} was not answered in time.`));
    }
    if (pending.size === 0) stopLooking();
  };

  return {
    subject: `${inbox}.*`,
    expect: (about, timeout) => {
      tokens += 1;
      const token = tokens.toString(36);
      const answer = new Promise<Msg>((resolve, reject) => {
        pending.set(token, { about, deadline: Date.now() + timeout, resolve, reject });
      });
      timer ??= setInterval(look, lookEvery);
      return { replyTo: `${inbox}.${token}`, answer };
    },
    heard: (msg) => {
      const token = msg.subject.slice(inbox.length + 1);
      const waiting = pending.get(token);
      if (!waiting) return;
      pending.delete(token);
      const nobody = msg.headers?.code === noResponders && msg.data.length === 0;
      if (nobody) waiting.reject(new BusError('no_responder', `Nobody answers ${waiting.about}.`));
      else waiting.resolve(msg);
    },
    failAll: (code, text) => {
      const all = [...pending.values()];
      pending.clear();
      stopLooking();
      for (const { reject } of all) reject(new BusError(code, text));
    },
  };
}
