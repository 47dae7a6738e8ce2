import { MoveButtons } from '../shell/act';
import { sentence } from '../shell/format';
import { Check } from '../shell/forms';
import type { Violation } from '../shell/load';
import { Button, Card, Said, Status } from '../shell/parts';
import { Suggest, type Suggestion } from '../shell/suggest';
import componentGroups from './component-groups.json';
import { type Component, type Components, componentOf } from './components';
import { type Choice, type Draft, type Kind, moved, partId, partsOf, problemsOf, ruleOf } from './draft';
import listed from './groups.json';
import { defaultsOf, type Settings } from './schema-form';
import { SettingsForm } from './settings-form';
import type { TestResult } from './try-out';

type BuilderProps = {
  readonly draft: Draft;
  readonly components: Components;
  readonly violations: readonly Violation[];
  readonly change: (draft: Draft) => void;
  readonly tested: TestResult | undefined;
};

type Group = {
  readonly kind: Kind;
  readonly title: string;
  /** Where its violations are. */
  readonly path: string;
  /** What the list of components is called. */
  readonly pick: string;
  /** Stands there when nothing is chosen. */
  readonly none: string;
  /** One part at most: another takes its place. */
  readonly single?: boolean;
};

const groups = listed as readonly Group[];

/** When, if, then: the parts of a rule, each a form from the schema of its component. */
export function Builder(props: BuilderProps) {
  const { draft, change } = props;
  return (
    <>
      {groups.map((group) => (
        <Parts key={group.kind} {...props} group={group} />
      ))}
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

/** The parts of one kind, and a search for another. */
function Parts({ group, draft, components, violations, change, tested }: BuilderProps & { group: Group }) {
  const { kind, title, path, pick, none, single = false } = group;
  const parts = partsOf(draft.rule);
  const list = parts[kind];
  const set = (next: readonly Choice[]) => change({ ...draft, rule: ruleOf({ ...parts, [kind]: next }) });
  const move = (index: number, step: -1 | 1) => {
    set(moved(list, index, index + step));
    const button = `#${partId(kind, index + step)} .buttons > :nth-child(${step === -1 ? 1 : 2} of button)`;
    setTimeout(() => document.querySelector<HTMLElement>(button)?.focus());
  };
  const pathOf = (index: number) => (single ? path : `${path}.${index}`);
  const missing = list.length === 0 && problemsOf(violations, pathOf(0))[''] !== undefined;
  return (
    <Card title={title} stack>
      {list.length === 0 && <p class={missing ? 'problem' : 'soft'}>{none}</p>}
      {list.map((choice, index) => (
        <Part
          key={`${choice.id}-${index}`}
          id={partId(kind, index)}
          choice={choice}
          component={componentOf(components, kind, choice.id)}
          problems={problemsOf(violations, pathOf(index))}
          change={(settings) => set(list.with(index, { ...choice, settings }))}
          {...(kind !== 'triggers' && { remove: () => set(list.toSpliced(index, 1)) })}
          {...(list.length > 1 && { move: (step: -1 | 1) => move(index, step) })}
          verdict={verdictOf(tested, kind, index)}
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
    </Card>
  );
}

type Verdict = { readonly passed: boolean; readonly word: string; readonly reason: string };

export function verdictOf(tested: TestResult | undefined, kind: Kind, index: number): Verdict | undefined {
  if (kind === 'triggers' && tested) {
    const { would_fire: passed, reason } = tested.trigger;
    return { passed, word: passed ? 'Fires' : 'Does not fire', reason };
  }
  const condition = kind === 'conditions' ? tested?.conditions[index] : undefined;
  if (!condition) return undefined;
  const passed = condition.result === 'pass';
  return { passed, word: passed ? 'Passes' : 'Fails', reason: condition.reason };
}

type PartProps = {
  readonly id: string;
  readonly choice: Choice;
  readonly component: Component | undefined;
  readonly problems: Readonly<Record<string, string>>;
  readonly change: (settings: Settings) => void;
  readonly remove?: () => void;
  readonly move?: (step: -1 | 1) => void;
  readonly verdict: Verdict | undefined;
};

/** One trigger, condition or action of a rule with its settings. */
function Part({ id, choice, component, problems, change, remove, move, verdict }: PartProps) {
  const label = component?.label ?? choice.id;
  return (
    <div class="part" id={id} tabIndex={-1}>
      <header>
        <div>
          <h3>{label}</h3>
          <small>{component?.description ?? 'Its extension is not installed: install it, or remove this.'}</small>
        </div>
        <div class="buttons">
          {component?.accessible === false && <Status value="locked" label="Extended edition" tone="warn" />}
          {move && <MoveButtons name={label} move={move} />}
          {remove && <Button text="Remove" class="small" label={`Remove ${label}`} act={remove} />}
        </div>
      </header>
      {verdict && (
        <p class="note" dir="auto">
          <Status value={verdict.passed ? 'pass' : 'fail'} label={verdict.word} />{' '}
          <Said text={sentence(verdict.reason)} />
        </p>
      )}
      {component && (
        <SettingsForm schema={component.schema} settings={choice.settings} problems={problems} change={change} />
      )}
      {!component && problems[''] !== undefined && <p class="problem">{problems['']}</p>}
    </div>
  );
}

const groupOf: Readonly<Record<string, string>> = componentGroups;
const inGroups = Object.keys(groupOf);

/** Components whose name or description has all the words, in groups; the edition may not have all of them. */
function found(components: readonly Component[], text: string): Suggestion[] {
  const words = text.toLowerCase().split(' ');
  return components
    .filter(({ label, description }) => words.every((word) => `${label} ${description}`.toLowerCase().includes(word)))
    .sort((one, other) => inGroups.indexOf(one.id) - inGroups.indexOf(other.id))
    .map(({ id, label, description, accessible }) => ({
      value: id,
      label,
      group: groupOf[id],
      about: accessible ? description : `Extended edition. ${description}`,
      locked: !accessible,
    }));
}
