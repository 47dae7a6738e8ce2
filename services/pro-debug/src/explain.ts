import { type ExplainedRule, paginate, type RequestInput, type RequestOutput } from '@order-automation/contracts';
import { compileRule } from '@order-automation/engine';
import { notEvaluated, pastOf, recordedRule, unchangedSince } from './explain-past';
import { countVerdicts, explainedRule, judgeAll, judgeDisabled, tellingFirst } from './explain-rules';
import { eventOf, eventOfProcess, factsOf, orderOf, shownEvent } from './facts';
import type { DebugDeps } from './handlers';
import { requireLicence } from './licence';
import { namedOccurrence } from './named-occurrence';

type Input = RequestInput<'debug.order.explain.v1'>;
type Output = RequestOutput<'debug.order.explain.v1'>;

/** Every rule on one order, as it is or as something happened to it: 403 without a licence, 404 `svc_order_not_found` and `svc_process_not_found`. */
export async function explainOrder(input: Input, deps: DebugDeps): Promise<Output> {
  requireLicence(input.edition);
  const { order_id, process_id } = input;
  if (order_id === undefined && process_id !== undefined) return explainProcess(process_id, input, deps);
  return explainNow(order_id ?? 0, input, deps);
}

async function explainNow(order_id: number, input: Input, deps: DebugDeps): Promise<Output> {
  const { include_disabled, verdict, page, per_page } = input;
  const context = await orderOf(order_id, deps.orders);
  const enabled = (await deps.rules.current()).all;
  const disabled = include_disabled ? await deps.rules.disabled() : [];
  const facts = await factsOf(context, await eventOf(input, deps), [...enabled, ...disabled], deps);
  const judged = [...judgeAll(enabled, facts), ...judgeDisabled(disabled)];
  const wanted = tellingFirst(judged).filter((one) => verdict === undefined || one.verdict === verdict);
  const shown = wanted.slice((page - 1) * per_page, page * per_page);
  return {
    data: {
      order_id,
      process_id: null,
      at: null,
      event: shownEvent(facts.occurrence),
      counts: countVerdicts(judged),
      rules: shown.map((one) => explainedRule(one, facts)),
      pagination: paginate(wanted.length, page, per_page),
    },
  };
}

/** Rules of which the version of then is looked up at a time. */
const atOnce = 20;

/** The verdicts that the log has, and of every other rule, as it was then, why it was not evaluated. */
async function explainProcess(process_id: string, input: Input, deps: DebugDeps): Promise<Output> {
  const { include_disabled, verdict, page, per_page } = input;
  const entries = await deps.log.process(process_id);
  const { event, entry } = eventOfProcess(entries);
  const order = { id: entry.order_id ?? 0, status: '', transaction_id: '' };
  const occurrence = namedOccurrence(event, order, Date.parse(entry.timestamp));
  const current = [...(await deps.rules.current()).all];
  const disabled = (await deps.rules.disabled()).map((rule) => ({
    ...rule,
    record: { ...rule.record, enabled: false },
  }));
  const known = new Map([...current, ...disabled].map((rule) => [rule.record.id, rule]));
  const past = pastOf(entries, occurrence, entry, known);
  const evaluated = past.evaluated.map((one) => recordedRule(one, known.get(one.rule_id ?? 0)));
  const seen = new Set(evaluated.map(({ rule_id }) => rule_id));
  const { same, changed } = unchangedSince(
    past.at,
    [...known.values()].map(({ record }) => record).filter(({ id }) => !seen.has(id)),
  );
  const others = same.flatMap(({ id }) => known.get(id) ?? []).map((rule) => notEvaluated(rule, past));
  for (let from = 0; from < changed.length; from += atOnce) {
    const some = changed.slice(from, from + atOnce);
    const versions = await Promise.all(some.map((record) => deps.rules.versionAt(record, past.at)));
    for (const record of versions) if (record) others.push(notEvaluated(compileRule(record, deps.registry), past));
  }
  const all: ExplainedRule[] = [...evaluated, ...others].filter(
    (one) => include_disabled || one.verdict !== 'disabled',
  );
  const wanted = tellingFirst(all).filter((one) => verdict === undefined || one.verdict === verdict);
  return {
    data: {
      order_id: past.order_id,
      process_id,
      at: past.at,
      event: shownEvent(occurrence),
      counts: countVerdicts(all),
      rules: wanted.slice((page - 1) * per_page, page * per_page),
      pagination: paginate(wanted.length, page, per_page),
    },
  };
}
