import { createInbox, type Msg, type Subscription as NatsSubscription, nanos } from 'nats';
import type { BusLog } from './log';
import type { Link } from './nats-link';
import { textOf } from './settle';

export type PullOptions = {
  readonly link: Link;
  readonly stream: string;
  readonly consumer: string;
  /** Messages that may be asked for and not yet settled. */
  readonly window: number;
  readonly log: BusLog;
  /** Makes the consumer, and the stream, when they are gone. */
  readonly ensure: () => Promise<void>;
  readonly deliver: (msg: Msg) => void;
};

/** Keeps asking the server for messages, whatever happens to the connection, the consumer, the stream or the server's storage. */
export type Pull = {
  /** So many were settled: there is room for as many more. */
  settled(count: number): void;
  /** Asks for nothing more, and gives up what was asked for. */
  stop(): void;
};

const expires = 30_000;
const heartbeat = 1_000;
/** Three heartbeats missed: the consumer is gone, or the way to it. */
const silence = 3 * heartbeat;
const checkEvery = 500;
const longestPause = 2_000;

/** Resolves once the consumer is there and the first messages are asked for. Rejects with BusError when that failed. */
export async function startPull(options: PullOptions): Promise<Pull> {
  const { link, stream, consumer, log } = options;
  const demand = newDemand(options.window);
  let inbox: NatsSubscription | undefined;
  let restarting = false;
  let stopped = false;

  const ask = (): void => {
    if (stopped || restarting || !inbox || link.trouble()) return;
    const batch = demand.more();
    if (batch === 0) return;
    const body = { batch, expires: nanos(expires), idle_heartbeat: nanos(heartbeat) };
    const next = `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`;
    link.nc.publish(next, JSON.stringify(body), { reply: inbox.getSubject() });
  };

  const ended = (end: PullEnd): void => {
    if (end.peaceful) ask();
    else log.warn({ stream, consumer, code: end.code, reason: end.reason }, 'the server ended a pull');
    if (end.gone) void restart();
    // Anything else is asked again at the next check, not in a circle.
  };

  const heard = (msg: Msg): void => {
    const end = demand.heard(msg);
    if (msg.reply) options.deliver(msg);
    else if (end) ended(end);
  };

  const listen = (): void => {
    inbox?.unsubscribe();
    demand.reset();
    const current = link.nc.subscribe(createInbox(link.inboxPrefix), {
      callback: (error, msg) => (error || current !== inbox ? undefined : heard(msg)),
    });
    inbox = current;
    ask();
  };

  const restart = async (): Promise<void> => {
    if (restarting || stopped) return;
    restarting = true;
    await untilDone(options, () => stopped);
    restarting = false;
    if (!stopped) listen();
  };

  const check = (): void => {
    if (link.trouble() || restarting) return;
    if (demand.silent()) void restart();
    else ask();
  };

  await options.ensure();
  listen();
  const forget = link.onReconnect(() => void restart());
  const timer = setInterval(check, checkEvery);
  return {
    settled: (count) => {
      demand.settled(count);
      ask();
    },
    stop: () => {
      stopped = true;
      clearInterval(timer);
      forget();
      if (!link.nc.isClosed()) inbox?.unsubscribe();
    },
  };
}

type PullEnd = { readonly code: number; readonly reason: string; readonly peaceful: boolean; readonly gone: boolean };

/** How many messages are asked for and not yet here, and how many are here and not yet settled. */
function newDemand(window: number) {
  let held = 0;
  let asked = 0;
  let heardAt = Date.now();
  return {
    /** So many more are asked for now; 0 while less than half of the window is free. */
    more: (): number => {
      const room = window - held - asked;
      if (room < Math.max(1, window / 2)) return 0;
      asked += room;
      return room;
    },
    /** Counts a message, which has an address to acknowledge to; without one it is the server speaking: the end of a pull, or a heartbeat. */
    heard: (msg: Msg): PullEnd | undefined => {
      heardAt = Date.now();
      if (msg.reply) {
        held += 1;
        asked = Math.max(0, asked - 1);
        return undefined;
      }
      const end = endOf(msg);
      if (end) asked = Math.max(0, asked - (pendingOf(msg) ?? asked));
      return end;
    },
    settled: (count: number): void => {
      held -= count;
    },
    /** Whether messages are asked for and not even heartbeats come. */
    silent: (): boolean => asked > 0 && Date.now() - heardAt > silence,
    reset: (): void => {
      asked = 0;
      heardAt = Date.now();
    },
  };
}

/** 100 is a heartbeat, 408 the end of a pull whose time is up; 503 and some of 409 mean that the consumer is gone (ADR-37 of NATS). */
function endOf(msg: Msg): PullEnd | undefined {
  const code = msg.headers?.code ?? 0;
  if (code === 0 || code === 100) return undefined;
  const reason = msg.headers?.description ?? '';
  const gone = code === 503 || /deleted|not found|shutdown|leadership/i.test(reason);
  return { code, reason, gone, peaceful: code === 408 };
}

/** Messages that the server had still to send when it ended the pull. */
function pendingOf(msg: Msg): number | undefined {
  const count = Number.parseInt(msg.headers?.get('Nats-Pending-Messages') ?? '', 10);
  return Number.isNaN(count) ? undefined : count;
}

async function untilDone({ ensure, log, stream, consumer }: PullOptions, stopped: () => boolean): Promise<void> {
  for (let pause = 100; !stopped(); pause = Math.min(pause * 2, longestPause)) {
    try {
      await ensure();
      return;
    } catch (error) {
      log.warn({ stream, consumer, reason: textOf(error) }, 'the consumer cannot be made yet, will be tried again');
      await new Promise((resolve) => setTimeout(resolve, pause).unref());
    }
  }
}
