import { useState } from 'preact/hooks';
import { ask, say } from '../shell/dialogs';
import { plural } from '../shell/format';
import { useAction } from '../shell/load';
import { Button, Card, Problem, Time } from '../shell/parts';
import { api, mayManage } from '../shell/session';

/** How long entries are kept. */
export function Retention() {
  const [found, setFound] = useState<{ removed: number; before: string }>();
  const { busy, failure, run } = useAction();
  if (!mayManage.value) return null;
  const look = async () => setFound(await run(() => api('POST /v1/audit-log/retention', { body: { dry_run: true } })));
  const apply = async () => {
    const sure = await ask({
      title: 'Remove old entries?',
      text: 'They cannot be brought back. The log stays provable.',
      confirm: 'Remove',
      danger: true,
    });
    if (!sure) return;
    const done = await run(() => api('POST /v1/audit-log/retention', { body: { dry_run: false } }));
    if (!done) return;
    setFound(undefined);
    say(`${plural(done.removed, 'entry', 'entries')} removed.`);
  };
  return (
    <Card title="Retention">
      <div class="stack">
        <p>
          Entries older than <code>AUDIT_RETENTION</code> are removed every hour.
        </p>
        {found && (
          <p role="status">
            {plural(found.removed, 'entry', 'entries')} from before <Time at={found.before} /> would be removed now.
          </p>
        )}
        <Problem failure={failure} />
        <p class="buttons">
          <Button text="Say what would be removed" disabled={busy} act={look} />
          {found !== undefined && found.removed > 0 && (
            <Button text="Remove them now" class="danger" disabled={busy} act={apply} />
          )}
        </p>
      </div>
    </Card>
  );
}
