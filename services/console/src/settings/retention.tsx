import { useState } from 'preact/hooks';
import { Act } from '../shell/act';
import { plural } from '../shell/format';
import { useAction } from '../shell/load';
import { Button, Card, Problem, Time } from '../shell/parts';
import { api, type Body, mayManage } from '../shell/session';

const run = (dry_run: boolean) => api('POST /v1/audit-log/retention', { body: { dry_run } });

/** How long entries are kept. */
export function Retention() {
  const [found, setFound] = useState<Body<'POST /v1/audit-log/retention'>>();
  const action = useAction();
  if (!mayManage.value) return null;
  return (
    <Card title="Retention">
      <div class="stack">
        <p>
          Entries older than 90 days are removed every hour, unless <code>AUDIT_RETENTION</code> sets another period.
        </p>
        {found && (
          <p role="status">
            {plural(found.removed, 'entry', 'entries')} from before <Time at={found.before} /> would be removed now.
          </p>
        )}
        <Problem failure={action.failure} />
        <p class="buttons">
          <Button text="Preview" disabled={action.busy} act={async () => setFound(await action.run(() => run(true)))} />
          {found !== undefined && found.removed > 0 && (
            <Act
              text="Remove now"
              class="danger"
              question={{
                title: 'Remove old entries?',
                text: 'You cannot bring them back. The log can still be verified.',
                confirm: 'Remove',
                danger: true,
              }}
              action={action}
              work={() => run(false)}
              done={({ removed }) => `${plural(removed, 'entry', 'entries')} removed.`}
              then={() => setFound(undefined)}
            />
          )}
        </p>
      </div>
    </Card>
  );
}
