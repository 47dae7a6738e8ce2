import { useState } from 'preact/hooks';
import { Act } from '../shell/act';
import { Changes } from '../shell/changes';
import { type Action, useAction, useGet } from '../shell/load';
import { Button, type ButtonProps, Card, Problem, Shown, Time } from '../shell/parts';
import { go } from '../shell/router';
import { api, type Body } from '../shell/session';
import { known, labelIn } from './components';
import type { Draft } from './draft';
import { backTo } from './shadow';
import { versionChanges } from './version-changes';

export type SavedRule = Body<'GET /v1/rules/{id}'>;

export type EnableProps = Pick<ButtonProps, 'class' | 'disabled'> & {
  readonly rule: Pick<SavedRule, 'id' | 'enabled' | 'shadow'>;
  readonly name: string;
  readonly action: Action;
  readonly reload: () => Promise<unknown>;
};

export function EnableRule({ rule, name, action, reload, ...button }: EnableProps) {
  const { id, enabled } = rule;
  const text = enabled ? 'Disable' : 'Enable';
  return (
    <Act
      text={text}
      label={`${text} ${name}`}
      {...button}
      action={action}
      work={() => api('PUT /v1/rules/{id}', { params: { id }, body: { enabled: !enabled } })}
      undo={() => api('PUT /v1/rules/{id}', { params: { id }, body: backTo(rule) })}
      done={enabled ? `“${name}” is disabled` : `“${name}” is enabled and runs from now on`}
      then={reload}
    />
  );
}

/** Copies the rule, or deletes it. */
export function More({ record, name }: { record: SavedRule; name: string }) {
  const action = useAction();
  const params = { id: record.id };
  const isOn = record.enabled || record.shadow;
  /** A rule that is restored is disabled. */
  const restore = async () => {
    const answer = await api('POST /v1/rules/{id}/restore', { params, body: {} });
    return answer.ok && isOn ? api('PUT /v1/rules/{id}', { params, body: backTo(record) }) : answer;
  };
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
          undo={restore}
          undone={() => go(`/rules/${record.id}`)}
          done={`Deleted “${name}”`}
          then={() => go('/rules', {}, { saved: true })}
        />
      </p>
    </Card>
  );
}

type VersionsProps = { readonly id: number; readonly version: number; readonly restored: () => Promise<void> };

/** Earlier versions of the rule: what each changed, and a way to restore it. */
export function Versions({ id, version, restored }: VersionsProps) {
  const [page, setPage] = useState(1);
  const versions = useGet('GET /v1/rules/{id}/versions', { params: { id }, query: { page, per_page: 10 } });
  const action = useAction();
  // Switching and moving leave a rule as it is.
  const isChanged = (one: Draft, index: number, all: readonly Draft[]) =>
    index === 0 || versionChanges(one, all[index - 1] ?? one, () => undefined).length > 0;
  const restore = (old: number) => (
    <Act
      text={`Restore version ${old}`}
      class="small"
      question={{
        title: `Restore version ${old}?`,
        text: 'Its name, conditions and actions become a new version. The rule stays enabled or disabled as it is.',
        confirm: 'Restore',
      }}
      action={action}
      work={() => {
        const headers = { 'If-Match': `"${version}"` };
        return api('POST /v1/rules/{id}/restore', { params: { id }, body: { version: old }, headers });
      }}
      done={({ rule }) => `Restored version ${old} as version ${rule.version}`}
      then={restored}
    />
  );
  return (
    <Card title="Versions">
      <Problem failure={action.failure} />
      <Shown of={versions} rows={3}>
        {({ versions: list, pagination }) => (
          <>
            <ol class="plain stack">
              {list.filter(isChanged).map((one) => (
                <li key={one.version}>
                  <p>
                    <strong>Version {one.version}</strong> {one.version === version && <small>current</small>}
                    <br />
                    <small>
                      <Time at={one.saved_at} /> by {one.saved_by}
                    </small>
                  </p>
                  {one.version !== version && (
                    <>
                      <Difference id={id} from={one.version} to={version} />
                      {restore(one.version)}
                    </>
                  )}
                </li>
              ))}
            </ol>
            <p class="buttons">
              {pagination.has_previous && <Button text="Newer" class="small" act={() => setPage(page - 1)} />}
              {pagination.has_next && <Button text="Older" class="small" act={() => setPage(page + 1)} />}
            </p>
          </>
        )}
      </Shown>
    </Card>
  );
}

function Difference({ id, from, to }: { id: number; from: number; to: number }) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Changes since then</summary>
      {open && <Compared id={id} from={from} to={to} />}
    </details>
  );
}

function Compared({ id, from, to }: { id: number; from: number; to: number }) {
  const found = useGet('GET /v1/rules/{id}/diff', { params: { id }, query: { from, to } });
  return (
    <Shown of={found} rows={2}>
      {({ from: before, to: after }) => {
        const changes = versionChanges(before, after, labelIn(known.value));
        return changes.length === 0 ? <p>None.</p> : <Changes changes={changes} />;
      }}
    </Shown>
  );
}
