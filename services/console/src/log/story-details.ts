import type { RuleData } from '../rules/draft';
import type { Change } from '../shell/changes';
import type { Body } from '../shell/session';

type Shown = 'id' | 'timestamp' | 'status' | 'event_type' | 'summary' | 'order_id' | 'duration_ms' | 'details';
/** An entry of a process. Details come from many services: what is not as expected is left out. */
export type Step = Pick<Body<'GET /v1/audit-log/process/{process_id}'>['logs'][number], Shown>;
type Details = Step['details'];

export type Condition = Body<'POST /pro/v1/debug-rule/test'>['data']['conditions'][number];

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = <T>(value: unknown): readonly T[] =>
  (Array.isArray(value) ? value.filter(isObject) : []) as readonly T[];

export const conditionsOf = (details: Details): readonly Condition[] => listOf<Condition>(details.conditions);

export const ruleOf = ({ rule }: Details): Readonly<Record<string, unknown>> | undefined =>
  isObject(rule) && rule.id !== undefined ? rule : undefined;

/** The whole rule, where an entry has recorded it. */
export function ruleDataOf({ rule }: Details): RuleData | undefined {
  const isWhole =
    isObject(rule) && isObject(rule.trigger) && [rule.conditions, rule.secondaryActions].every(Array.isArray);
  return isWhole ? (rule as unknown as RuleData) : undefined;
}

/** The changes that an entry names: of fields, or of an order before and after. */
export function changesOf(details: Details): readonly Change[] {
  const named = isObject(details.changes) ? settingsOf(details.changes) : listOf<Change>(details.changes);
  if (named.length > 0 || !isObject(details.order)) return named;
  const { before, after } = details.order;
  if (!isObject(before) || !isObject(after)) return [];
  return Object.keys(after).map((field) => ({ field, from: before[field], to: after[field] }));
}

type Settings = Readonly<Record<string, unknown>>;
type Part = { readonly id: string; readonly from: Settings; readonly to: Settings };

/** The settings of a rule's parts that a save changed, which the service records by the kind of part. */
function settingsOf(kinds: Settings): Change[] {
  return Object.values(kinds).flatMap((kind) =>
    (isObject(kind) ? listOf<Part>(kind.changed) : []).flatMap(({ id, from, to }) =>
      [...new Set([...Object.keys(from), ...Object.keys(to)])]
        .filter((name) => JSON.stringify(from[name]) !== JSON.stringify(to[name]))
        .map((name) => ({ field: `${id}, ${name}`, from: from[name], to: to[name] })),
    ),
  );
}
