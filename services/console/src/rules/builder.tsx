import type { ComponentChildren } from 'preact';
import { sentence } from '../shell/format';
import { Check } from '../shell/forms';
import { Card, Status } from '../shell/parts';
import { Suggest, type Suggestion } from '../shell/suggest';
import { type Component, type Components, componentOf, type Kind } from './components';
import { type Choice, type Draft, moved, problemsOf, replaced, type Violation, without, withRule } from './draft';
import { Part } from './part';
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
  const { draft, change, tested } = props;
  const { trigger, conditions, primaryAction, secondaryActions } = draft.rule;
  return (
    <>
      <Parts
        {...props}
        title="When"
        kind="triggers"
        path={() => 'trigger'}
        pick="Trigger"
        none="Choose a trigger: what starts the rule."
        list={trigger.id === '' ? [] : [trigger]}
        set={([chosen = { id: '', settings: {} }]) => change(withRule(draft, { trigger: chosen }))}
        verdict={() =>
          tested && <Verdict passed={tested.trigger.would_fire} words={fires} reason={tested.trigger.reason} />
        }
        single
      />
      <Parts
        {...props}
        title="If all of these are true"
        kind="conditions"
        path={(index) => `conditions.${index}`}
        pick="Add a condition"
        none="No conditions: the rule runs for every order."
        list={conditions}
        set={(next) => change(withRule(draft, { conditions: next }))}
        verdict={(index) => {
          const verdict = tested?.conditions[index];
          return verdict && <Verdict passed={verdict.result === 'pass'} words={passes} reason={verdict.reason} />;
        }}
      />
      <Parts
        {...props}
        title="Then"
        kind="primaryActions"
        path={() => 'primaryAction'}
        pick="Main action"
        none="The status stays as it is."
        list={primaryAction ? [primaryAction] : []}
        set={([chosen = null]) => change(withRule(draft, { primaryAction: chosen }))}
        single
      />
      <Parts
        {...props}
        title="And also"
        kind="secondaryActions"
        path={(index) => `secondaryActions.${index}`}
        pick="Add an action"
        none="No further actions."
        list={secondaryActions}
        set={(next) => change(withRule(draft, { secondaryActions: next }))}
      />
      <Card title="Then stop?">
        <Check
          label="When this rule matches, skip all later rules for the event"
          checked={draft.stop_processing}
          onChange={() => change({ ...draft, stop_processing: !draft.stop_processing })}
        />
      </Card>
    </>
  );
}

const fires = ['Fires', 'Does not fire'] as const;
const passes = ['Passes', 'Fails'] as const;

type VerdictProps = { readonly passed: boolean; readonly words: readonly [string, string]; readonly reason: string };

/** What the test of the rule says of one part. */
function Verdict({ passed, words: [yes, no], reason }: VerdictProps) {
  return (
    <p class="note" dir="auto">
      <Status value={passed ? 'pass' : 'fail'} label={passed ? yes : no} /> {sentence(reason)}
    </p>
  );
}

type PartsProps = Pick<BuilderProps, 'components' | 'violations'> & {
  readonly title: string;
  readonly kind: Kind;
  /** Where its violations are, by its place in the list. */
  readonly path: (index: number) => string;
  /** What the list of components is called. */
  readonly pick: string;
  /** Stands there when nothing is chosen. */
  readonly none: string;
  readonly list: readonly Choice[];
  readonly set: (list: readonly Choice[]) => void;
  readonly verdict?: (index: number) => ComponentChildren;
  /** One part at most: another takes its place. */
  readonly single?: boolean;
};

/** The parts of one kind, and a search for another. */
function Parts({ title, kind, path, pick, none, list, set, verdict, single = false, ...props }: PartsProps) {
  const { components, violations } = props;
  const missing = list.length === 0 && problemsOf(violations, path(0))[''] !== undefined;
  return (
    <Card title={title}>
      <div class="stack">
        {list.length === 0 && <p class={missing ? 'problem' : 'soft'}>{none}</p>}
        {list.map((choice, index) => (
          <Part
            key={`${choice.id}-${index}`}
            choice={choice}
            component={componentOf(components, kind, choice.id)}
            problems={problemsOf(violations, path(index))}
            change={(settings) => set(replaced(list, index, { ...choice, settings }))}
            {...(kind !== 'triggers' && { remove: () => set(without(list, index)) })}
            {...(list.length > 1 && { move: (step: -1 | 1) => set(moved(list, index, index + step)) })}
            verdict={verdict?.(index)}
          />
        ))}
        <Suggest
          label={pick}
          placeholder={single && list.length > 0 ? 'Choose another' : pick}
          find={async (text) => found(components[kind], text)}
          pick={({ value }) => {
            const chosen = componentOf(components, kind, value);
            if (!chosen) return;
            const choice = { id: value, settings: defaultsOf(chosen.schema) };
            set(single ? [choice] : [...list, choice]);
          }}
        />
      </div>
    </Card>
  );
}

/** Components whose name or description has the text; the edition may not have all of them. */
function found(components: readonly Component[], text: string): Suggestion[] {
  const words = text.toLowerCase();
  return components
    .filter(({ label, description }) => `${label} ${description}`.toLowerCase().includes(words))
    .sort((one, other) => Number(nameHas(other, words)) - Number(nameHas(one, words)))
    .map(({ id, label, description, accessible }) => ({
      value: id,
      label,
      about: accessible ? description : `Extended edition. ${description}`,
      locked: !accessible,
    }));
}

const nameHas = ({ label }: Component, words: string): boolean => label.toLowerCase().includes(words);
