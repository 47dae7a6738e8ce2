import { type ExplainedVerdict, paginate, type RequestInput, type RequestOutput } from '@order-automation/contracts';
import { type CompiledRule, compileRule } from '@order-automation/engine';
import type { DebugDeps } from '../deps';
import { eventOf, eventOfProcess, factsOf, orderOf, shownEvent } from '../readers/facts';
import { namedOccurrence } from '../readers/named-occurrence';
import { notEvaluated, pastOf, recordedRule } from './explain-past';
import { countVerdicts, explainedRule, type Judged, judgeAll, representativeFirst } from './explain-rules';

type Input = RequestInput<'debug.order.explain.v1'>;
type Output = RequestOutput<'debug.order.explain.v1'>;

/** Every rule on one order, as it is or as something happened to it: 404 `svc_order_not_found` and `svc_process_not_found`. */
export async function explainOrder(input: Input, deps: DebugDeps): Promise<Output> {
  const { order_id, process_id } = input;
  if (order_id === undefined && process_id !== undefined) return explainProcess(process_id, input, deps);
  return explainNow(order_id ?? 0, input, deps);
}

async function explainNow(order_id: number, input: Input, deps: DebugDeps): Promise<Output> {
  const { include_disabled } = input;
  const context = await orderOf(order_id, deps.orders);
  const enabled = (await deps.rules.current()).all;
  const disabled = include_disabled ? await deps.rules.disabled() : [];
  const facts = await factsOf(context, await eventOf(input, deps), [...enabled, ...disabled], deps);
  const judged = [
    ...judgeAll(enabled, facts),
    ...disabled.map((rule): Judged => ({ rule, verdict: 'disabled', stoppedBy: null })),
  ];
  const { rules, ...shown } = pageOf(judged, input);
  const about = { order_id, process_id: null, at: null, event: shownEvent(facts.occurrence) };
  return { data: { ...about, ...shown, rules: rules.map((one) => explainedRule(one, facts)) } };
}

/** The page of rules that is asked for, those that say most first. */
function pageOf<One extends { readonly verdict: ExplainedVerdict }>(
  judged: readonly One[],
  { verdict, page, per_page }: Input,
) {
  const wanted = representativeFirst(judged).filter((one) => verdict === undefined || one.verdict === verdict);
  const rules = wanted.slice((page - 1) * per_page, page * per_page);
  return { counts: countVerdicts(judged), rules, pagination: paginate(wanted.length, page, per_page) };
}

/** Rules of which the version of then is looked up at a time. */
const atOnce = 20;

/** The verdicts that the log has, and of every other rule, as it was then, why it was not evaluated. */
async function explainProcess(process_id: string, input: Input, deps: DebugDeps): Promise<Output> {
  const { include_disabled } = input;
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
  const unseen = [...known.values()].filter(({ record }) => !seen.has(record.id) && record.created_at <= past.at);
  const isSame = ({ record }: CompiledRule) => record.updated_at <= past.at;
  const others = unseen.filter(isSame).map((rule) => notEvaluated(rule, past));
  const changed = unseen.filter((rule) => !isSame(rule)).map(({ record }) => record);
  for (let from = 0; from < changed.length; from += atOnce) {
    const some = changed.slice(from, from + atOnce);
    const versions = await Promise.all(some.map((record) => deps.rules.versionAt(record, past.at)));
    for (const record of versions) if (record) others.push(notEvaluated(compileRule(record, deps.registry), past));
  }
  const all = [...evaluated, ...others].filter((one) => include_disabled || one.verdict !== 'disabled');
  const { order_id, at } = past;
  return { data: { order_id, process_id, at, event: shownEvent(occurrence), ...pageOf(all, input) } };
}
