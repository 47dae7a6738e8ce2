import { type Msg, type Subscription as NatsSubscription, nanos, nuid } from 'nats';
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
  const { link, stream, consumer, window, log } = options;
  const next = `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`;
  let inbox: NatsSubscription | undefined;
  let held = 0;
  let asked = 0;
  let heardAt = Date.now();
  let restarting = false;
  let stopped = false;

  const ask = (): void => {
    const room = window - held - asked;
    if (stopped || restarting || !inbox || link.trouble() || room < Math.max(1, window / 2)) return;
    asked += room;
    const body = { batch: room, expires: nanos(expires), idle_heartbeat: nanos(heartbeat) };
    link.nc.publish(next, JSON.stringify(body), { reply: inbox.getSubject() });
  };

  /** 100 is a heartbeat, 408 the end of a pull in peace; 409 and 503 mean that the consumer is gone, or too much was asked. */
  const status = (msg: Msg, code: number): void => {
    if (code === 100) return;
    const left = Number.parseInt(msg.headers?.get('Nats-Pending-Messages') ?? '', 10);
    asked = Number.isNaN(left) ? 0 : Math.max(0, asked - left);
    if (code === 408) {
      ask();
      return;
    }
    const reason = msg.headers?.description ?? '';
    log.warn({ stream, consumer, code, reason }, 'the server ended a pull');
    if (code === 503 || /deleted|not found|shutdown|leadership/i.test(reason)) void restart();
    // Anything else is asked again at the next check, not in a circle.
  };

  const heard = (msg: Msg): void => {
    heardAt = Date.now();
    const code = msg.headers?.code ?? 0;
    if (code >= 100 && msg.data.length === 0) status(msg, code);
    else {
      held += 1;
      asked = Math.max(0, asked - 1);
      options.deliver(msg);
    }
  };

  const listen = (): void => {
    inbox?.unsubscribe();
    asked = 0;
    heardAt = Date.now();
    const current = link.nc.subscribe(`_INBOX.${nuid.next()}`, {
      callback: (error, msg) => (error || current !== inbox ? undefined : heard(msg)),
    });
    inbox = current;
  };

  const restart = async (): Promise<void> => {
    if (restarting || stopped) return;
    restarting = true;
    for (let pause = 100; !stopped; pause = Math.min(pause * 2, longestPause)) {
      try {
        await options.ensure();
        break;
      } catch (error) {
        log.warn({ stream, consumer, reason: textOf(error) }, 'the consumer cannot be made yet, will be tried again');
        await rest(pause);
      }
    }
    restarting = false;
    if (stopped) return;
    listen();
    ask();
  };

  const check = (): void => {
    if (link.trouble() || restarting) return;
    if (asked > 0 && Date.now() - heardAt > silence) void restart();
    else ask();
  };

  await options.ensure();
  listen();
  ask();
  const forget = link.onReconnect(() => void restart());
  const timer = setInterval(check, checkEvery);
  return {
    settled: (count) => {
      held -= count;
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

function rest(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
