import { durationText, inWords, valueText } from '../shell/format';
import { Table } from '../shell/listing';
import { Raw, Status, Time } from '../shell/parts';
import { to } from '../shell/router';
import { type Body, mayManage } from '../shell/session';
import './log.css';

type Recorded = Body<'GET /v1/audit-log/process/{process_id}'>['logs'][number];
type Shown = 'id' | 'timestamp' | 'status' | 'event_type' | 'summary' | 'order_id' | 'duration_ms' | 'details';
/** An entry of a process. Details come from many services: what is not as expected is left out. */
export type Step = Pick<Recorded, Shown>;

export type Condition = {
  readonly id: string;
  readonly label: string;
  readonly result: string;
  readonly expected: string;
  readonly actual: string;
  readonly reason: string;
};
type Change = { readonly field: string; readonly from?: unknown; readonly to?: unknown };

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = <T,>(value: unknown): readonly T[] =>
  (Array.isArray(value) ? value.filter(isObject) : []) as readonly T[];

/** The changes that an entry names: of fields, or of an order before and after. */
export function changesOf(details: Readonly<Record<string, unknown>>): readonly Change[] {
  const named = listOf<Change>(details.changes);
  if (named.length > 0 || !isObject(details.order)) return named;
  const { before, after } = details.order;
  if (!isObject(before) || !isObject(after)) return [];
  return Object.keys(after).map((field) => ({ field, from: before[field], to: after[field] }));
}

/** The entries of a process in the order in which they happened. */
export function Story({ steps }: { steps: readonly Step[] }) {
  return (
    <ol class="plain story">
      {steps.map((step) => (
        <li key={step.id} class={step.status}>
          <StepOf step={step} />
        </li>
      ))}
    </ol>
  );
}

function StepOf({ step }: { step: Step }) {
  const { event_type, status, timestamp, summary, details, duration_ms } = step;
  const conditions = listOf<Condition>(details.conditions);
  const rule = isObject(details.rule) ? details.rule : undefined;
  return (
    <>
      <div class="buttons">
        <h3>{titleOf(step)}</h3>
        <Status value={status} />
        <Time at={timestamp} />
        {duration_ms !== null && <small>{durationText(duration_ms)}</small>}
      </div>
      <p dir="auto">{summary}</p>
      {rule && mayManage.value && (
        <small dir="auto">
          <a href={to(`/rules/${valueText(rule.id)}`)}>{valueText(rule.name)}</a>, version {valueText(rule.version)}
        </small>
      )}
      {conditions.length > 0 && <Conditions conditions={conditions} />}
      <Changes changes={changesOf(details)} />
      {Object.keys(details).length > 0 && (
        <details>
          <summary>Details as JSON</summary>
          <Raw text={JSON.stringify(details, null, 2)} />
        </details>
      )}
      <span class="visually-hidden">{inWords(event_type)}</span>
    </>
  );
}

function titleOf({ event_type, details }: Step): string {
  if (event_type === 'webhook_received') return details.authenticated === true ? 'Received and verified' : 'Received';
  if (event_type === 'process_completed') return 'Finished';
  return inWords(event_type);
}

const results: Readonly<Record<string, string>> = { pass: 'Passed', fail: 'Failed', skipped: 'Not checked' };

/** What each condition needs and what it found. */
export function Conditions({ conditions }: { conditions: readonly Condition[] }) {
  return (
    <div class="card">
      <Table
        rows={conditions.map((condition, index) => ({ ...condition, id: `${condition.id}-${index}` }))}
        columns={{
          Condition: ({ label }) => label,
          Result: ({ result }) => <Status value={result} label={results[result] ?? inWords(result)} />,
          Needed: { named: true, cell: ({ expected }) => expected },
          Found: { named: true, cell: ({ actual }) => actual },
        }}
      />
    </div>
  );
}

const shown = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? <Time at={value} /> : valueText(value);

/** What was before and after. */
export function Changes({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return null;
  return (
    <ul class="plain">
      {changes.map(({ field, from, to: after }) => (
        <li key={field} dir="auto">
          <span class="soft">{inWords(field)}:</span> {from !== null && from !== undefined && <del>{shown(from)}</del>}{' '}
          → <strong>{shown(after)}</strong>
        </li>
      ))}
    </ul>
  );
}
