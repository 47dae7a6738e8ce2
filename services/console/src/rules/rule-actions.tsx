import { ask, say } from '../shell/dialogs';
import { useAction } from '../shell/load';
import { Button, Card, Problem } from '../shell/parts';
import { go } from '../shell/router';
import { api } from '../shell/session';

/** What is known of a saved rule beside its parts. */
export type RuleRecord = {
  readonly id: number;
  readonly enabled: boolean;
  readonly version: number;
  readonly updated_at: string;
  readonly updated_by: string;
  readonly stats: { readonly run_count: number; readonly match_count: number; readonly last_fired_at: string | null };
};

type EnablingProps = { readonly record: RuleRecord; readonly reload: () => Promise<void>; readonly disabled: boolean };

/** Whether the rule runs. */
export function Enabling({ record, reload, disabled }: EnablingProps) {
  const { busy, failure, run } = useAction();
  const toggle = async () => {
    const enabled = !record.enabled;
    const done = await run(() => api('PUT /v1/rules/{id}', { params: { id: record.id }, body: { enabled } }));
    if (!done) return;
    say(enabled ? 'The rule is enabled: it runs from now on.' : 'The rule is disabled.');
    await reload();
  };
  return (
    <>
      <Problem failure={failure} />
      <Button text={record.enabled ? 'Disable' : 'Enable'} disabled={busy || disabled} act={toggle} />
    </>
  );
}

/** A copy of the rule, and its end. */
export function More({ record, name }: { record: RuleRecord; name: string }) {
  const { busy, failure, run } = useAction();
  const { id } = record;
  const duplicate = async () => {
    const made = await run(() => api('POST /v1/rules/{id}/duplicate', { params: { id }, body: {} }));
    if (!made) return;
    say('The copy is disabled until you enable it.');
    await go(`/rules/${made.rule.id}`);
  };
  const remove = async () => {
    const sure = await ask({
      title: 'Delete this rule?',
      text: `“${name}” no longer runs.`,
      confirm: 'Delete',
      danger: true,
    });
    if (!sure) return;
    const done = await run(() => api('DELETE /v1/rules/{id}', { params: { id } }));
    if (!done) return;
    say('The rule is deleted.');
    await go('/rules', {}, { saved: true });
  };
  return (
    <Card title="More">
      <Problem failure={failure} />
      <p class="buttons">
        <Button text="Duplicate" disabled={busy} act={duplicate} />
        <Button text="Delete" class="danger" disabled={busy} act={remove} />
      </p>
    </Card>
  );
}
