import { RuleSentence } from '../rules/rule-sentence';
import { Changes } from '../shell/changes';
import { durationText, inWords, plural, valueText } from '../shell/format';
import { Table } from '../shell/listing';
import { Said, Status, Time } from '../shell/parts';
import { Raw } from '../shell/raw';
import { to } from '../shell/router';
import { mayManage } from '../shell/session';
import { type Condition, changesOf, conditionsOf, ruleDataOf, ruleOf, type Step } from './story-details';
import { conditionsText, firstFailure, storyParts, verdictOf } from './story-parts';
import titles from './titles.json';
import { actionText, entryText } from './words';
import './log.css';

/** The entries of a process in the order in which they happened; what rules that did not match needed is folded. */
export function Story({ steps }: { steps: readonly Step[] }) {
  const parts = storyParts(steps);
  const alone = !parts.some(({ kind }) => kind === 'rule');
  return (
    <ol class="plain story">
      {parts.map((part) => {
        if (part.kind === 'unmatched') return <Unmatched key="unmatched" steps={part.steps} alone={alone} />;
        const { step } = part;
        return (
          <li key={step.id} class={step.status}>
            {part.kind === 'rule' ? <Rule step={step} actions={part.actions} /> : <Entry step={step} />}
          </li>
        );
      })}
    </ol>
  );
}

function Entry({ step }: { step: Step }) {
  const { status, timestamp, duration_ms, details } = step;
  const rule = ruleDataOf(details);
  return (
    <>
      <div class="buttons">
        <h3>{titleOf(step)}</h3>
        {status !== 'debug' && <Status value={status} />}
        <Time at={timestamp} />
        {duration_ms !== null && <small>{durationText(duration_ms)}</small>}
      </div>
      <p dir="auto">
        <Said text={entryText(step)} order={step.order_id} />
      </p>
      {rule && (
        <p>
          <RuleSentence of={rule} />
        </p>
      )}
      {step.event_type === 'webhook_rejected' && mayManage.value && (
        <p>
          <a href={to('/connections')}>Check the secrets and addresses of your senders</a>
        </p>
      )}
      <Changes changes={changesOf(details)} />
      <Recorded steps={[step]} />
    </>
  );
}

function titleOf({ event_type, details }: Step): string {
  if (event_type === 'webhook_received' && details.authenticated === true) return 'Received and verified';
  return (titles as Readonly<Record<string, string>>)[event_type] ?? inWords(event_type);
}

/** A rule that matched, is in shadow, or could not be evaluated, with what it did. */
function Rule({ step, actions }: { step: Step; actions: readonly Step[] }) {
  const conditions = conditionsOf(step.details);
  return (
    <>
      <div class="buttons">
        <h3 dir="auto">
          Rule <RuleName step={step} />
        </h3>
        <Status value={step.status} label={verdictOf(step)} />
      </div>
      {step.status !== 'success' && (
        <p dir="auto">
          <Said text={step.summary} order={step.order_id} />
        </p>
      )}
      <ul class="plain">
        {actions.map((action) => (
          <li key={action.id} dir="auto">
            <Status value={action.status} /> <Said text={actionText(action)} />
            <Changes changes={changesOf(action.details)} />
          </li>
        ))}
      </ul>
      {conditions.length > 0 && (
        <details>
          <summary>{conditionsText(step)}</summary>
          <Conditions conditions={conditions} />
        </details>
      )}
      <Recorded steps={[step, ...actions]} />
    </>
  );
}

function RuleName({ step: { details } }: { step: Step }) {
  const { id, name = 'without a name', version } = ruleOf(details) ?? {};
  const text = valueText(name);
  const title = `Version ${valueText(version)}`;
  return mayManage.value ? (
    <a href={to(`/rules/${valueText(id)}`)} title={title}>
      {text}
    </a>
  ) : (
    <span title={title}>{text}</span>
  );
}

/** Rules that did not match in one row; open where no other rule has matched. */
function Unmatched({ steps, alone }: { steps: readonly Step[]; alone: boolean }) {
  return (
    <li class="skipped">
      <details open={alone}>
        <summary>
          <h3>{plural(steps.length, 'rule')} did not match</h3>
        </summary>
        <ul class="plain unmatched">
          {steps.map((step) => (
            <li key={step.id}>
              <strong dir="auto">
                <RuleName step={step} />
              </strong>{' '}
              <span class="soft">{firstFailure(step)}</span>
              <details open={steps.length === 1}>
                <summary>{conditionsText(step)}</summary>
                <Conditions conditions={conditionsOf(step.details)} />
              </details>
            </li>
          ))}
        </ul>
        <Recorded steps={steps} />
      </details>
    </li>
  );
}

/** Everything that was recorded, for those who look for it. */
function Recorded({ steps }: { steps: readonly Step[] }) {
  const told = steps.filter(({ details }) => Object.keys(details).length > 0);
  if (told.length === 0) return null;
  return (
    <details>
      <summary>Details as JSON</summary>
      {told.map(({ id, details }) => (
        <Raw key={id} text={JSON.stringify(details, null, 2)} />
      ))}
    </details>
  );
}

const results: Readonly<Record<string, string>> = { pass: 'Passed', fail: 'Failed', skipped: 'Not checked' };

export function Conditions({ conditions }: { conditions: readonly Condition[] }) {
  if (conditions.length === 0) return null;
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
