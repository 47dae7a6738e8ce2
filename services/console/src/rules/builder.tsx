import { sentence } from '../shell/format';
import { Card, Status } from '../shell/parts';
import { type Components, componentOf } from './components';
import { type Draft, type ListName, moved, problemsOf, replaced, type Violation, without, withRule } from './draft';
import { AddPart, Options, Part } from './part';
import { defaultsOf } from './schema-form';
import type { TestResult } from './try-out';

type BuilderProps = {
  readonly draft: Draft;
  readonly components: Components;
  readonly violations: readonly Violation[];
  readonly change: (draft: Draft) => void;
  readonly tested: TestResult | undefined;
};

/** When, if, then: the parts of a rule, each a form from the schema of its component. */
export function Builder(props: BuilderProps) {
  const { draft, change } = props;
  return (
    <>
      <When {...props} />
      <Card title="If all of these hold">
        <Parts {...props} name="conditions" add="Add a condition" none="Without a condition, every order passes." />
      </Card>
      <MainAction {...props} />
      <Card title="And also">
        <Parts {...props} name="secondaryActions" add="Add an action" none="Nothing else." />
      </Card>
      <Card title="After it">
        <label class="check">
          <input
            type="checkbox"
            checked={draft.stop_processing}
            onChange={() => change({ ...draft, stop_processing: !draft.stop_processing })}
          />
          When it matches, no later rule runs for this event
        </label>
      </Card>
    </>
  );
}

function When({ draft, components, violations, change, tested }: BuilderProps) {
  const { trigger } = draft.rule;
  const component = componentOf(components, 'triggers', trigger.id);
  const choose = (id: string) => {
    const chosen = componentOf(components, 'triggers', id);
    change(withRule(draft, { trigger: { id, settings: chosen ? defaultsOf(chosen.schema) : {} } }));
  };
  const problems = problemsOf(violations, 'trigger');
  return (
    <Card title="When">
      <div class="stack">
        <select
          aria-label="Trigger"
          aria-invalid={problems[''] !== undefined}
          value={trigger.id}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          {!component && <option value={trigger.id}>{trigger.id || 'Choose what sets the rule off'}</option>}
          <Options components={components.triggers} />
        </select>
        {component ? (
          <Part
            choice={trigger}
            named
            component={component}
            problems={problems}
            change={(settings) => change(withRule(draft, { trigger: { ...trigger, settings } }))}
            verdict={
              tested && (
                <p class="verdict">
                  <Status
                    value={tested.trigger.would_fire ? 'pass' : 'fail'}
                    label={tested.trigger.would_fire ? 'Fires' : 'Does not fire'}
                  />{' '}
                  {sentence(tested.trigger.reason)}
                </p>
              )
            }
          />
        ) : (
          problems[''] !== undefined && <p class="problem">The trigger {problems['']}</p>
        )}
      </div>
    </Card>
  );
}

type PartsProps = BuilderProps & { readonly name: ListName; readonly add: string; readonly none: string };

function Parts({ draft, components, violations, change, tested, name, add, none }: PartsProps) {
  const list = draft.rule[name];
  const set = (next: typeof list) => change(withRule(draft, { [name]: next }));
  return (
    <div class="stack">
      {list.length === 0 && <p class="soft">{none}</p>}
      {list.map((choice, index) => (
        <Part
          key={`${choice.id}-${index}`}
          choice={choice}
          component={componentOf(components, name, choice.id)}
          problems={problemsOf(violations, `${name}.${index}`)}
          change={(settings) => set(replaced(list, index, { ...choice, settings }))}
          remove={() => set(without(list, index))}
          {...(list.length > 1 && { move: (step: -1 | 1) => set(moved(list, index, index + step)) })}
          verdict={name === 'conditions' && <Verdict tested={tested} index={index} />}
        />
      ))}
      <AddPart label={add} components={components[name]} add={(choice) => set([...list, choice])} />
    </div>
  );
}

function Verdict({ tested, index }: { tested: TestResult | undefined; index: number }) {
  const verdict = tested?.conditions[index];
  if (!verdict) return null;
  return (
    <p class="verdict">
      <Status value={verdict.result} label={verdict.result === 'pass' ? 'Passes' : 'Fails'} />{' '}
      {sentence(verdict.reason)}
    </p>
  );
}

function MainAction({ draft, components, violations, change }: BuilderProps) {
  const { primaryAction } = draft.rule;
  const component = primaryAction ? componentOf(components, 'primaryActions', primaryAction.id) : undefined;
  const choose = (id: string) => {
    const chosen = componentOf(components, 'primaryActions', id);
    change(
      withRule(draft, { primaryAction: id === '' ? null : { id, settings: chosen ? defaultsOf(chosen.schema) : {} } }),
    );
  };
  return (
    <Card title="Then">
      <div class="stack">
        <select
          aria-label="Main action"
          value={primaryAction?.id ?? ''}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          <option value="">Leave the status as it is</option>
          {primaryAction && !component && <option value={primaryAction.id}>{primaryAction.id}</option>}
          <Options components={components.primaryActions} />
        </select>
        {primaryAction && (
          <Part
            choice={primaryAction}
            named
            component={component}
            problems={problemsOf(violations, 'primaryAction')}
            change={(settings) => change(withRule(draft, { primaryAction: { ...primaryAction, settings } }))}
          />
        )}
      </div>
    </Card>
  );
}
