import type { ComponentChildren } from 'preact';
import { Button, Status } from '../shell/parts';
import type { Component } from './components';
import type { Choice } from './draft';
import { defaultsOf, type Settings } from './schema-form';
import { SettingsForm } from './settings-form';

type PartProps = {
  readonly choice: Choice;
  readonly component: Component | undefined;
  readonly problems: Readonly<Record<string, string>>;
  readonly change: (settings: Settings) => void;
  readonly remove?: () => void;
  readonly move?: (step: -1 | 1) => void;
  /** Chosen in a list above, which names it already. */
  readonly named?: boolean;
  /** What the test of the rule says of it. */
  readonly verdict?: ComponentChildren;
};

/** One condition or action of a rule with its settings. */
export function Part({ choice, component, problems, change, remove, move, named = false, verdict }: PartProps) {
  const label = component?.label ?? choice.id;
  return (
    <div class="part">
      <header>
        <div>
          {!named && <h3>{label}</h3>}
          <small>{component?.description ?? 'No component of this name is installed.'}</small>
        </div>
        <div class="buttons">
          {component?.accessible === false && <Status value="locked" label="Extended edition" tone="warn" />}
          {move && (
            <>
              <Button text="↑" class="small" label={`Move ${label} up`} act={() => move(-1)} />
              <Button text="↓" class="small" label={`Move ${label} down`} act={() => move(1)} />
            </>
          )}
          {remove && <Button text="Remove" class="small" label={`Remove ${label}`} act={remove} />}
        </div>
      </header>
      {verdict}
      {component && (
        <SettingsForm schema={component.schema} settings={choice.settings} problems={problems} change={change} />
      )}
      {!component && problems[''] !== undefined && <p class="problem">{problems['']}</p>}
    </div>
  );
}

type AddProps = {
  readonly label: string;
  readonly components: readonly Component[];
  readonly add: (choice: Choice) => void;
};

/** A list of components from which one is added with the defaults of its settings. */
export function AddPart({ label, components, add }: AddProps) {
  return (
    <select
      aria-label={label}
      value=""
      onChange={(event) => {
        const component = components.find(({ id }) => id === event.currentTarget.value);
        event.currentTarget.value = '';
        if (component) add({ id: component.id, settings: defaultsOf(component.schema) });
      }}
    >
      <option value="">{label}</option>
      <Options components={components} />
    </select>
  );
}

/** What the edition does not have is named, and cannot be chosen. */
export function Options({ components }: { components: readonly Component[] }) {
  return (
    <>
      {components.map(({ id, label, accessible }) => (
        <option key={id} value={id} disabled={!accessible}>
          {label}
          {accessible ? '' : ' (extended edition)'}
        </option>
      ))}
    </>
  );
}
