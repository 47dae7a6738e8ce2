import {
  addDecimals,
  type BacktestGroup,
  type BacktestResult,
  type Decimal,
  formatDecimal,
  type JudgedEvent,
  type JudgedRule,
  parseDecimal,
} from '@order-automation/contracts';

/** Events of a group that the result names. */
const maxSamples = 20;

/** Sums up judged events, newest first. Memory grows with the numbers of orders alone. */
export function tallyOf(isCompared: boolean) {
  const [matching, saved, newly, noLonger] = [group(), group(), group(), group()];
  const unchanged = { matching: 0, not_matching: 0 };
  let unknown = 0;
  return {
    add: (event: JudgedEvent): void => {
      const { candidate, saved: beside } = event;
      if (candidate.verdict === 'unknown' || beside?.verdict === 'unknown') {
        unknown += 1;
        return;
      }
      const [is, was] = [candidate.verdict === 'match', beside?.verdict === 'match'];
      if (is) matching.add(event, candidate.actions);
      if (was) saved.add(event, beside?.actions ?? []);
      if (is && !was) newly.add(event, candidate.actions);
      else if (was && !is) noLonger.add(event, beside?.actions ?? []);
      else if (is) unchanged.matching += 1;
      else unchanged.not_matching += 1;
    },
    result: (): BacktestResult => ({
      matching: matching.shown(),
      saved_matching: isCompared ? saved.shown() : null,
      newly_matching: newly.shown(),
      no_longer_matching: isCompared ? noLonger.shown() : null,
      unchanged: { ...unchanged },
      unknown,
    }),
  };
}

function group() {
  const orders = new Set<number>();
  const values = new Map<string, Decimal>();
  const actions = new Map<string, BacktestGroup['actions'][number]>();
  const samples: BacktestGroup['samples'] = [];
  let events = 0;
  return {
    add: (event: JudgedEvent, run: JudgedRule['actions']): void => {
      events += 1;
      if (samples.length < maxSamples) samples.push(sampleOf(event));
      for (const { id, label } of run) {
        actions.set(id, { id, label, events: (actions.get(id)?.events ?? 0) + 1 });
      }
      const { order_id, value } = event;
      if (order_id === null || orders.has(order_id)) return;
      orders.add(order_id);
      const total = value && parseDecimal(value.total);
      if (value && total) values.set(value.currency, sum(values.get(value.currency), total));
    },
    shown: (): BacktestGroup => ({
      events,
      orders: orders.size,
      value: [...values].map(([currency, total]) => ({ currency, total: formatDecimal(total, total.scale) })),
      actions: [...actions.values()],
      samples: [...samples],
    }),
  };
}

const sum = (so_far: Decimal | undefined, added: Decimal): Decimal => (so_far ? addDecimals(so_far, added) : added);

function sampleOf({ event_id, process_id, order_id, at, event_type, gateway, value }: JudgedEvent) {
  const { total = null, currency = null } = value ?? {};
  return { event_id, process_id, order_id, at, event_type, gateway, total, currency };
}
