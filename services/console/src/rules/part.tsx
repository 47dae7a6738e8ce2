import type { ComponentChildren } from 'preact';
import { Button, Status } from '../shell/parts';
import type { Component } from './components';
import type { Choice } from './draft';
import type { Settings } from './schema-form';
import { SettingsForm } from './settings-form';

type PartProps = {
  readonly choice: Choice;
  readonly component: Component | undefined;
  readonly problems: Readonly<Record<string, string>>;
  readonly change: (settings: Settings) => void;
  readonly remove?: () => void;
  readonly move?: (step: -1 | 1) => void;
  /** What the test of the rule says of it. */
  readonly verdict?: ComponentChildren;
};

/** One trigger, condition or action of a rule with its settings. */
export function Part({ choice, component, problems, change, remove, move, verdict }: PartProps) {
  const label = component?.label ?? choice.id;
  return (
    <div class="part">
      <header>
        <div>
          <h3>{label}</h3>
          <small>{component?.description ?? 'This component is not installed.'}</small>
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
