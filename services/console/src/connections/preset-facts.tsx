import { type Change, Changes } from '../shell/changes';
import { open } from '../shell/dialogs';
import { inWords } from '../shell/format';
import { FormDialog } from '../shell/forms';
import { Button } from '../shell/parts';
import { api } from '../shell/session';
import type { Preset } from './connect-sender';
import type { Connection } from './connections-page';
import { changesTo } from './preset-changes';

type PresetFactsProps = {
  readonly connection: Connection;
  /** Absent of one that no version of now knows, and until it is read. */
  readonly preset: Preset | undefined;
  readonly done: () => Promise<void>;
};

/** The preset of a sender, and what it says now where the sender is set otherwise: a preset that was mended changes no sender by itself. */
export function PresetFacts({ connection, preset, done }: PresetFactsProps) {
  if (!preset) return <>{inWords(connection.preset ?? '')}</>;
  const changes = changesTo(preset.settings ?? {}, connection);
  if (changes.length === 0) return <>{preset.name}</>;
  const compare = () => open(<TakeOver {...{ connection, preset, changes, done }} />);
  return (
    <span class="buttons">
      {preset.name}, with other settings
      <Button text="Compare" label={`Compare ${connection.name} with its preset`} class="small" act={compare} />
    </span>
  );
}

type TakeOverProps = PresetFactsProps & { readonly preset: Preset; readonly changes: readonly Change[] };

function TakeOver({ connection: { name }, preset, changes, done }: TakeOverProps) {
  const body = preset.settings ?? {};
  return (
    <FormDialog
      title={`Preset of ${name}`}
      text="Use the settings of the preset"
      work={() => api('PUT /v1/webhooks/{name}', { params: { name }, body })}
      done="Saved. It applies to new events and to replays."
      then={done}
    >
      <p>
        Either the preset was improved after this sender was connected, or somebody changed the sender. With the
        settings of the preset, this changes:
      </p>
      <Changes changes={changes} />
    </FormDialog>
  );
}
