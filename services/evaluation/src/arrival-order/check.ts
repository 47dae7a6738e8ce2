import {
  type Answer,
  type ArrivalFinding,
  isoTime,
  type RequestInput,
  type RequestOutput,
  type RuleRecord,
} from '@order-automation/contracts';
import {
  type CompiledRules,
  compileRules,
  plainStatuses,
  type Registry,
  ruleRefused,
  validateRule,
} from '@order-automation/engine';
import type { RuleCache } from '../deciding/rule-cache';
import type { Ports } from '../run';
import { type Difference, differences, type Ending, endingsOn, tellings } from './endings';
import { livesOf } from './lives';
import { orderContexts } from './order-contexts';
import type { Stage } from './world';

/** One look at a time (`inTurn`): each takes a second of the processor. */
type ArrivalOrderDeps = Pick<Ports, 'clock' | 'timeZone' | 'awaiting' | 'inTurn'> & {
  readonly rules: Pick<RuleCache, 'current'>;
  readonly registry: Registry;
  /** What was found for the rules without a draft: they are looked at once. */
  readonly checked: WeakMap<CompiledRules, Promise<Output>>;
};

type Input = RequestInput<'evaluation.arrival-order.check.v1'>;
type Output = RequestOutput<'evaluation.arrival-order.check.v1'>;

/** Rules that are looked at, in order of running. */
const maxRules = 100;
const maxFindings = 50;
/** Webhooks, and changes that these set off, tried on made-up orders: about five seconds of the processor. Ten rules on statuses and gateways take half of them. */
const maxTried = 30_000;
/** Of a draft that has no id yet. */
const unsaved = 0;
const ofDraft = { version: 1, position: Number.MAX_SAFE_INTEGER, updated_by: '' };

/** Looks for rules whose result depends on the order in which webhooks of a payment arrive, one of them twice. Only reads. 400 for an invalid draft. */
export const checkArrivalOrder: Answer<'evaluation.arrival-order.check.v1', ArrivalOrderDeps> = (input, deps) => {
  const current = deps.rules.current();
  const checking =
    (input.draft ? undefined : deps.checked.get(current)) ?? deps.inTurn(['check'], () => lookFor(input, deps));
  if (!input.draft) deps.checked.set(current, checking);
  // What failed is looked at again.
  checking.catch(() => deps.checked.delete(current));
  return checking;
};

async function lookFor(input: Input, deps: ArrivalOrderDeps): Promise<Output> {
  const { registry, timeZone, awaiting, clock } = deps;
  const all = recordsOf(input, deps);
  const records = all.slice(0, maxRules);
  const { contexts, unreached, isTruncated } = orderContexts(records, registry, clock.now(), timeZone);
  const found = new Map<string, ArrivalFinding>();
  const work = { left: maxTried };
  for (const { facts, kept } of contexts) {
    const rules = kept.map(({ record }) => record);
    for (const status of startsOf(rules)) {
      const context = { ...facts.context, order: { ...facts.context.order, status } };
      const stage = { rules: compileRules(rules, registry), facts: { ...facts, context }, awaiting, work };
      await lookOn(stage, found);
    }
  }
  return {
    checked: records.length - unreached.length,
    findings: [...found.values()].slice(0, maxFindings),
    unreached: unreached.map(named),
    is_truncated: isTruncated || work.left <= 0 || all.length > maxRules || found.size > maxFindings,
  };
}

/** The enabled rules, with the draft in the place of its rule or at the end. */
function recordsOf({ draft, edition }: Input, { rules, registry, clock }: ArrivalOrderDeps): RuleRecord[] {
  const enabled = rules.current().all.flatMap(({ record }) => (record.enabled ? [record] : []));
  if (!draft) return enabled;
  const validation = validateRule(draft.rule, edition, registry);
  if (!validation.ok) throw ruleRefused(validation, 'draft.rule');
  const { id, name, stop_processing } = draft;
  const saved = enabled.find((record) => record.id === id);
  const at = isoTime(clock.now());
  const stats = { run_count: 0, match_count: 0, last_fired_at: null };
  const fields = { id: id ?? unsaved, name, stop_processing, rule: validation.rule, enabled: true };
  const record = { ...ofDraft, stats, created_at: at, updated_at: at, ...saved, ...fields };
  return [...enabled.filter((one) => one !== saved), record];
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
const choicesOf = (rules: readonly RuleRecord[]) => rules.flatMap(({ rule }) => [rule.trigger, ...rule.conditions]);

/** An order awaits its payment; where rules ask for that, the shop has moved it already. */
function startsOf(rules: readonly RuleRecord[]): string[] {
  const asked = new Set(choicesOf(rules).flatMap(({ settings }) => plainStatuses(texts(settings.statuses))));
  return ['pending', ...['on-hold', 'processing'].filter((status) => asked.has(status))];
}

/** The card gateway, those that rules name, and others where rules name those that they are not about. */
function gatewaysOf({ all }: CompiledRules): Set<string> {
  const choices = choicesOf(all.map(({ record }) => record));
  const heard = all.flatMap(({ listensTo }) => listensTo.flatMap((one) => ('event' in one ? (one.event ?? []) : [])));
  const events = [...heard, ...choices.flatMap(({ settings }) => texts(settings.event_types))];
  const families = events.flatMap((event) => /^payment\.([a-z]+)\./.exec(event)?.[1] ?? []);
  const chosen = choices.flatMap(({ settings }) => texts(settings.gateways));
  const isNot = choices.some(({ id, settings }) => id === 'source_gateway' && settings.operator === 'is_not');
  const others = isNot ? ['gateway_wallet', 'generic'] : [];
  return new Set(['gateway_card', ...chosen, ...others, ...families.map((family) => `gateway_${family}`)]);
}

async function lookOn(stage: Stage, found: Map<string, ArrivalFinding>): Promise<void> {
  const { rules, facts } = stage;
  for (const gateway of gatewaysOf(rules))
    for (const life of livesOf(gateway, facts.context.order, facts.now, rules)) {
      const endings = endingsOn(stage);
      for (const told of tellings(life)) {
        // Webhooks that arrive meanwhile are not kept waiting.
        await new Promise(setImmediate);
        if (stage.work.left <= 0) return;
        for (const all of await endings(told))
          for (const [at, one] of all.entries())
            for (const other of all.slice(at + 1))
              for (const difference of differences(one, other)) {
                const key = [...difference.by].sort().join();
                const shortest = found.get(key)?.sequences[0]?.length ?? Number.POSITIVE_INFINITY;
                if (one.sequence.length < shortest) found.set(key, findingOf(difference, [one, other], rules));
              }
      }
    }
}

const named = ({ id, name }: RuleRecord) => ({ id: id === unsaved ? null : id, name });

function findingOf({ what, ends, by }: Difference, pair: readonly Ending[], { all }: CompiledRules): ArrivalFinding {
  const rules = all.flatMap(({ record }) => (by.includes(record.id) ? [record] : []));
  const sequences = pair.map(({ sequence }) => sequence.map(({ says }) => says));
  const clauses = ends.map((end) => endText(what, end));
  const cases = sequences.map((sequence, at) => `First ${sequence.join(', then ')}: ${clauses[at]}`);
  const names = rules.map(({ name }) => `"${name}"`).join(' and ');
  const text = `The result of ${names} depends on the order in which webhooks arrive. ${cases.join('. ')}.`;
  return { rules: rules.map(named), sequences, ends: clauses, text };
}

/** What is so in the end, as a clause. */
function endText(what: string, end: string | null): string {
  if (what === 'status') return `the order ends ${end}`;
  if (what.startsWith('field ')) return end === null ? `the ${what} is not set` : `the ${what} is "${end}"`;
  if (what.startsWith('tag ')) return `the order ${end === null ? 'does not have' : 'has'} the ${what}`;
  return `${end === null ? 'no' : 'with the'} ${what.split(' ')[0]}`;
}
