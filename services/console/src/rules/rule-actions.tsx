import { Act } from '../shell/act';
import { type Action, useAction } from '../shell/load';
import { Card, Problem } from '../shell/parts';
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

type EnableProps = {
  readonly rule: { readonly id: number; readonly enabled: boolean };
  readonly name: string;
  readonly action: Action;
  readonly reload: () => Promise<void>;
  readonly small?: boolean;
  readonly disabled?: boolean;
};

/** Starts or stops a rule. */
export function EnableRule({
  rule: { id, enabled },
  name,
  action,
  reload,
  small = false,
  disabled = false,
}: EnableProps) {
  const text = enabled ? 'Disable' : 'Enable';
  return (
    <Act
      text={text}
      label={`${text} ${name}`}
      class={small ? 'small' : undefined}
      disabled={disabled}
      action={action}
      work={() => api('PUT /v1/rules/{id}', { params: { id }, body: { enabled: !enabled } })}
      done={enabled ? `“${name}” is disabled` : `“${name}” is enabled and runs from now on`}
      then={reload}
    />
  );
}

/** Copies the rule, or deletes it. */
export function More({ record: { id }, name }: { record: RuleRecord; name: string }) {
  const action = useAction();
  const params = { id };
  return (
    <Card title="More">
      <Problem failure={action.failure} />
      <p class="buttons">
        <Act
          text="Duplicate"
          action={action}
          work={() => api('POST /v1/rules/{id}/duplicate', { params, body: {} })}
          done="Copy created. It runs once you enable it."
          then={({ rule }) => go(`/rules/${rule.id}`)}
        />
        <Act
          text="Delete"
          class="danger"
          question={{ title: 'Delete this rule?', text: `“${name}” no longer runs.`, confirm: 'Delete', danger: true }}
          action={action}
          work={() => api('DELETE /v1/rules/{id}', { params })}
          done={`Deleted “${name}”`}
          then={() => go('/rules', {}, { saved: true })}
        />
      </p>
    </Card>
  );
}
