import type { Bus } from '@order-automation/bus';
import type { NewAuditEntry, OrderContext, OrderStep } from '@order-automation/contracts';
import type { Claims } from '../attempts/claims';
import type { RuleCache } from '../deciding/rule-cache';
import type { MailSettings } from '../deliveries/email';
import type { DeliveryQueue } from '../deliveries/queue';
import { stepPort } from '../effects/effects';
import { entriesOf } from '../entries/entries';
import type { EvaluationDocument } from '../evaluation-document';
import type { OrderHistory } from '../history/order-history';
import type { Shop } from '../ports/shop';
import type { Ports } from '../run';

/** All that a simulation is given: readers. What would be written is collected in memory (decisions.md section 8: enforced at the port, not by a flag). */
export type SimulateDeps = Pick<Ports, 'history' | 'disabledRules' | 'clock' | 'timeZone' | 'awaiting'> & {
  readonly shop: Omit<Shop, 'apply'>;
  /** What the last of these steps of an order would do after the others; `shopPreview` asks the shop. */
  readonly preview: (steps: readonly OrderStep[], last: OrderStep) => ReturnType<Shop['apply']>;
  readonly rules: Pick<RuleCache, 'current' | 'versions'>;
  readonly mail: MailSettings | null;
};

export function shopPreview(bus: Pick<Bus, 'request'>): SimulateDeps['preview'] {
  return async (steps) => (await bus.request('shop.order.preview.v1', { steps: [...steps] })).result;
}

export type Collected = {
  readonly documents: EvaluationDocument[];
  readonly entries: NewAuditEntry[];
  /** Addresses of e-mails and calls, by the key of their action. */
  readonly targets: Map<string, string>;
};

/** The ports of production without a writer: evaluation runs on them as it does on its own. */
export function dryPorts(deps: SimulateDeps): { readonly ports: Ports; readonly collected: Collected } {
  const { clock, history, rules, disabledRules, timeZone, awaiting } = deps;
  const collected: Collected = { documents: [], entries: [], targets: new Map() };
  const shop = rememberingShop(deps);
  const queue = collectingQueue(collected);
  const runStep = stepPort({ shop, mail: deps.mail, queue, clock });
  const finish: Ports['finish'] = async (document) => {
    collected.documents.push(document);
    collected.entries.push(...entriesOf(document, clock.now()));
    return document.outcome ?? 'error';
  };
  const ports: Ports = {
    shop,
    claims: nobodyElse,
    inTurn: (_keys, work) => work(false),
    history: readingHistory(history),
    rules: { ...rules, close: async () => undefined },
    disabledRules,
    runStep,
    waiting: notWaiting(finish),
    finish,
    lookAtMoney: async () => undefined,
    clock,
    stopwatch: () => () => undefined,
    timeZone,
    awaiting,
  };
  return { ports, collected };
}

/** The order as the steps so far would have left it. */
function rememberingShop({ shop, preview }: SimulateDeps): Shop {
  const steps: OrderStep[] = [];
  let latest: OrderContext | null = null;
  const isLatest = (context: OrderContext | null): boolean => latest?.order.id === context?.order.id;
  return {
    find: async (task) => {
      const found = await shop.find(task);
      if (!found || 'rejection' in found) return found;
      return latest && isLatest(found.context) ? { ...found, context: latest } : found;
    },
    get: async (orderId) => (latest?.order.id === orderId ? latest : shop.get(orderId)),
    customer: shop.customer,
    apply: async (step) => {
      steps.push(step);
      const result = await preview(steps, step);
      if (result.kind === 'stale') steps.pop();
      else if ('context' in result) latest = result.context;
      return result;
    },
  };
}

/** Says what production's queue says, and stores nothing. */
function collectingQueue({ targets }: Collected): DeliveryQueue {
  return {
    add: async ({ target, what }, { key, process_id: by }) => {
      targets.set(key, target);
      return { status: 'queued', by, message: `${what}; the result follows in an entry of its own.`, changes: [] };
    },
    knows: async () => false,
    kick: () => undefined,
    close: async () => undefined,
  };
}

const nobodyElse: Claims = { known: async () => null, save: async () => true, holding: (_document, work) => work() };

const readingHistory = (history: OrderHistory): OrderHistory => ({
  isPassed: history.isPassed,
  note: (orderId, read) => history.note(orderId, read, false),
});

/** An event that names no order of the shop ends at once. */
function notWaiting(finish: Ports['finish']): Ports['waiting'] {
  return {
    waitFor: async (document) => {
      document.outcome = 'no_order';
      await finish(document);
      return 'no_order';
    },
  };
}
