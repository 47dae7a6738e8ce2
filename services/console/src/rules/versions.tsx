import { useState } from 'preact/hooks';
import { ask, say } from '../shell/dialogs';
import { useAction, useLoad } from '../shell/load';
import { Button, Card, Problem, Shown, Time } from '../shell/parts';
import { api } from '../shell/session';

type VersionsProps = {
  readonly id: number;
  readonly version: number;
  /** Called when another version has become the rule. */
  readonly restored: () => Promise<void>;
};

/** What the rule was before: what each version changed, and the way back. */
export function Versions({ id, version, restored }: VersionsProps) {
  const [page, setPage] = useState(1);
  const versions = useLoad(
    () => api('GET /v1/rules/{id}/versions', { params: { id }, query: { page, per_page: 10 } }),
    [id, version, page],
  );
  const { busy, failure, run } = useAction();
  const restore = async (wanted: number) => {
    const sure = await ask({
      title: `Restore version ${wanted}?`,
      text: 'Its name, conditions and actions become a new version. Whether the rule is enabled stays.',
      confirm: 'Restore',
    });
    if (!sure) return;
    const headers = { 'If-Match': `"${version}"` };
    const done = await run(() =>
      api('POST /v1/rules/{id}/restore', { params: { id }, body: { version: wanted }, headers }),
    );
    if (!done) return;
    say(`Version ${wanted} is the rule again, as version ${done.rule.version}.`);
    await restored();
  };
  return (
    <Card title="Versions">
      <Problem failure={failure} />
      <Shown of={versions} rows={3}>
        {({ versions: list, pagination }) => (
          <>
            <ol class="plain versions">
              {list.map((one) => (
                <li key={one.version}>
                  <p>
                    <strong>Version {one.version}</strong> {one.version === version ? <small>now</small> : null}
                    <br />
                    <small>
                      <Time at={one.saved_at} /> by {one.saved_by}
                    </small>
                  </p>
                  {one.version !== version && (
                    <>
                      <Difference id={id} from={one.version} to={version} />
                      <Button
                        text={`Restore version ${one.version}`}
                        class="small"
                        disabled={busy}
                        act={() => restore(one.version)}
                      />
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
      <summary>What has changed since</summary>
      {open && <Compared id={id} from={from} to={to} />}
    </details>
  );
}

function Compared({ id, from, to }: { id: number; from: number; to: number }) {
  const found = useLoad(() => api('GET /v1/rules/{id}/diff', { params: { id }, query: { from, to } }), [id, from, to]);
  return (
    <Shown of={found} rows={2}>
      {({ summary }) => <p>{summary === '' ? 'Nothing.' : summary}</p>}
    </Shown>
  );
}
