import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '@order-automation/contracts';
import { batcher, createOutbound, OutboundError } from '@order-automation/service';
import { wellFormed } from '@order-automation/store';
import type { ConnectorDeps } from '../connector';
import { type Answer, type Call, isWrite, noAnswer, type Query, readAnswer, ShopFailure, unavailable } from './answers';
import { isMissing, nullIf, ShopRefusal, ShopUnavailable, shopFailed } from './failures';
import { asksForPermission, changeNothing, lackingPermissions } from './permissions';
import type { WooCommerceSettings } from './settings';
import { jittered, shopHealth } from './shop-health';
import { firstWay, nextWay, sentAs, signedCall, targetOf, type Way } from './ways';

export type { Query } from './answers';
/** `isTorn`: it was read in parts, each of which may sort what is alike in another way. */
export type Page = { readonly items: readonly unknown[]; readonly total: number | null; readonly isTorn?: true };

/**
 * The REST interface of one shop, a few requests at a time. What the shop turned away and reads that failed are tried again with growing delays and jitter, a
 * short pause that it asks for is waited out. Rejects with ShopRefusal when WooCommerce refuses the request, with ShopUnavailable when the shop cannot be used
 * now, with LostWrite when a write may have happened, and with a ServiceError of status 502 when the shop fails on this request alone.
 */
export type WooCommerce = ReturnType<typeof wooCommerceClient>;

export type ClientOptions = Pick<ConnectorDeps, 'clock' | 'log' | 'telemetry'> & {
  readonly settings: WooCommerceSettings;
  /** Milliseconds for one request. */
  readonly timeout: number;
};

/** Requests in flight: what a small hosting bears beside its customers. */
const concurrency = 6;
const maxBytes = 16_000_000;
/** Tries of a read that the shop fails on, and of what it turns away. */
const maxTries = 4;
const maxTurnedAway = 10;
/** Milliseconds before the second try, doubling. */
const firstDelay = 150;
/** Milliseconds that the breaker of outbound calls stays open: what is down and when it is asked again, `ShopHealth` knows better. */
const breakerReset = 500;

/** No order has the id 0: an order on which a plugin fails says nothing about the shop. */
const alive: Call = { method: 'GET', path: 'wc/v3/orders', query: { include: 0, _fields: 'id' }, isList: true };

/** A key may lack the webhooks: that says nothing about the shop. */
export const webhooksPath = 'wc/v3/webhooks';

export function wooCommerceClient(options: ClientOptions) {
  const { settings, clock, log, telemetry, timeout } = options;
  const { hosts, subnets } = settings.outbound;
  const outbound = createOutbound({ log, timeout, maxBytes, allow: subnets, allowHosts: hosts, breakerReset });
  const probe = async (): Promise<void> => void (await inTurn.add(alive));
  const health = shopHealth(clock, telemetry, probe, () => inTurn.waiting());

  const first = firstWay(settings);
  let settled: Way | null = null;
  let ahead = 0;
  /** A shop that does not answer, or refuses its key, may be reached in another way since. */
  const startOf = (call: Call): Way => (call === alive ? first : (settled ?? first));
  const onWay = async (call: Call, way: Way): Promise<Answer> => {
    const { path, body } = call;
    const method = sentAs(call.method, way);
    const target = targetOf(settings.address, call, way);
    if (method === 'GET') target.searchParams.set('_', clock.now().toString(36));
    const ours = path.startsWith('wc/');
    const signed = signedCall(method, path, target, way, { settings, now: clock.now() });
    const content = body === undefined ? {} : { 'Content-Type': 'application/json; charset=utf-8' };
    const headers = { Accept: 'application/json', ...signed.headers, ...content };
    const started = performance.now();
    const measured = (outcome: string) => telemetry.shopAnswered(method, outcome, (performance.now() - started) / 1000);
    try {
      const sent = body === undefined ? {} : { body: JSON.stringify(wellFormed(body)) };
      const answer = readAnswer(
        await outbound.request(signed.url, { method, headers, ...sent, isTrial: call === alive }),
        call,
      );
      measured('ok');
      if (ours) {
        settled = way;
        ahead = answer.date - clock.now();
        health.answered();
      }
      return answer;
    } catch (error) {
      const failure = error instanceof OutboundError ? noAnswer(error, call) : error;
      measured(failure instanceof ShopFailure ? failure.facts.outcome : 'refused');
      const isKnown = settled !== null && call !== alive;
      const next = ours && failure instanceof ShopFailure ? nextWay(way, call.method, failure.facts, isKnown) : null;
      // The failure of the first way is the one that is reported, unless WooCommerce answers on another.
      const other = next === null ? null : await onWay(call, next).catch(unlessRefused);
      if (other !== null) return other;
      if (way !== startOf(call)) throw failure;
      const { ownRefusal } = failure instanceof ShopFailure ? failure.facts : {};
      if (ownRefusal && !asksForPermission(call) && (await answersOthers(call, way))) throw ownRefusal;
      const isVital = ours && method !== 'OPTIONS' && !asksForPermission(call) && !path.startsWith(webhooksPath);
      if (failure instanceof ShopFailure && saysSomething(failure, isVital))
        health.failed(failure.facts, call === alive);
      else if (failure instanceof ServiceError && ours) health.answered();
      throw failure;
    }
  };
  /** Whether the shop lets the key have or change orders, where it refuses one of them. */
  const answersOthers = (call: Call, way: Way): Promise<boolean> =>
    onWay(isWrite(call) ? changeNothing : alive, way).then(
      () => true,
      (error) => error instanceof ShopRefusal,
    );
  const once = (call: Call): Promise<Answer> => health.ready().then(() => onWay(call, startOf(call)));
  const inTurn = batcher<Call, Answer>({ maxItems: 1, concurrency, run: (calls) => Promise.all(calls.map(once)) });

  const send = async (call: Call): Promise<Answer> => {
    for (let tries = 1, turnedAway = 0; ; ) {
      try {
        return await inTurn.add(call);
      } catch (error) {
        if (!(error instanceof ShopFailure)) throw error;
        const { facts } = error;
        if (facts.unsent) turnedAway += 1;
        else tries += 1;
        if (!mayTryAgain(call, error, tries, turnedAway)) {
          const isDoubtful = facts.isDoubtful || (facts.status === 500 && !isWrite(call));
          if (!isDoubtful || facts.status === undefined) throw unavailable(facts, call);
          throw await attributeFailure(facts.status, `${call.method} ${call.path}`, facts.reason);
        }
        await delay(jittered(firstDelay * 2 ** Math.min(tries + turnedAway - 2, 4)));
      }
    }
  };

  /** The failure of a request that the shop answered with this status: its own where the shop answers others, else the shop's. */
  const attributeFailure = async (status: number, what: string, reason = ''): Promise<Error> => {
    try {
      await probe();
      return shopFailed(status, what, reason);
    } catch (error) {
      if (error instanceof ShopUnavailable) return error;
      return new ShopUnavailable(`WooCommerce answered ${status}.`);
    }
  };

  return {
    health,
    /** `path` below `/wp-json/`, as `wc/v3/orders/17`. Null where there is none. */
    get: async (path: string, query: Query = {}): Promise<unknown> =>
      (await send({ method: 'GET', path, query }).catch(nullWhereMissing))?.json ?? null,
    /** One page of a list, and how many there are (`X-WP-Total`, which WooCommerce may count late; null without it). */
    page: async (path: string, query: Query = {}): Promise<Page> => {
      const { json, total } = await send({ method: 'GET', path, query, isList: true });
      return { items: Object.values(json ?? {}), total };
    },
    /** Sent once, unless it was turned away. `confirmedWrite` (lost-writes.ts) finds out what became of one that was lost. */
    write: async (method: 'PUT' | 'POST', path: string, body: unknown): Promise<unknown> =>
      (await send({ method, path, query: {}, body })).json,
    /** Deletes for good what may be gone. */
    remove: async (path: string): Promise<void> =>
      void (await send({ method: 'DELETE', path, query: { force: 'true' } }).catch(nullWhereMissing)),
    /** The way on which the shop answers and milliseconds by which its clock is ahead of ours; null before it has answered. */
    reached: () => settled && { way: settled, ahead },
    describe: async (path: string): Promise<unknown> => (await send({ method: 'OPTIONS', path, query: {} })).json,
    /** Null when the key has every permission. Rejects when that cannot be found out. */
    lackingPermissions: () => lackingPermissions((call) => inTurn.add(call)),
    attributeFailure,
    close: () => {
      health.close();
      outbound.close();
    },
  };
}

const nullWhereMissing = nullIf(isMissing);
const unlessRefused = nullIf((error) => !(error instanceof ShopRefusal));

/** A call that the breaker held back says nothing new; posts may be forbidden to everybody. */
const saysSomething = ({ facts }: ShopFailure, ours: boolean): boolean =>
  facts.outcome !== 'circuit_open' && (ours || facts.kind !== 'refused');

function mayTryAgain(call: Call, { facts }: ShopFailure, tries: number, turnedAway: number): boolean {
  if (facts.kind === 'refused' || facts.outcome === 'timeout') return false;
  return facts.unsent ? turnedAway < maxTurnedAway : !isWrite(call) && tries <= maxTries;
}
