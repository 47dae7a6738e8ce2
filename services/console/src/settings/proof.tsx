import { useRef, useState } from 'preact/hooks';
import { Act, Copy } from '../shell/act';
import { countText, plural } from '../shell/format';
import { useAction, useGet } from '../shell/load';
import { Button, Card, Problem, Shown, Time } from '../shell/parts';
import { place } from '../shell/router';
import { api, type Body, mayManage } from '../shell/session';

/** Entries that one request verifies, so that progress can be shown and a long check cancelled. */
const step = 20_000;

type Outcome = { readonly checked: number; readonly bad: { readonly id: number; readonly reason: string } | null };

/** Verifies the log, piece by piece. */
export function Proof() {
  const [progress, setProgress] = useState<number>();
  const [outcome, setOutcome] = useState<Outcome>();
  const stopped = useRef(false);
  const { busy, failure, run } = useAction();
  const verify = async () => {
    stopped.current = false;
    setOutcome(undefined);
    setProgress(0);
    const newest = await run(() =>
      api('GET /v1/audit-log', { query: { view: 'flat', per_page: 1, include_test: true, include_debug: true } }),
    );
    const last = newest?.logs[0]?.id ?? 0;
    let checked = 0;
    for (let from = 1; newest && from <= last && !stopped.current; from += step) {
      const to_id = Math.min(from + step - 1, last);
      const part = await run(() => api('GET /v1/audit-log/verify', { query: { from_id: from, to_id } }));
      if (!part) break;
      checked += part.checked;
      setProgress(to_id / last);
      if (!part.valid) {
        setOutcome({ checked, bad: { id: part.first_bad_id ?? 0, reason: part.reason ?? 'unknown' } });
        break;
      }
      if (to_id === last) setOutcome({ checked, bad: null });
    }
    setProgress(undefined);
  };
  return (
    <>
      <Card title="Integrity of the log" stack>
        <p>
          Verify the log to find entries that were edited, removed or inserted afterwards. An auditor verifies an export
          with its proof without this installation: <code>orderctl log verify-export FILE</code>.
        </p>
        <p class="buttons">
          <Button text="Verify the log" class="main" disabled={busy || progress !== undefined} act={verify} />
          {progress !== undefined && (
            <Button
              text="Cancel"
              act={() => {
                stopped.current = true;
              }}
            />
          )}
          <a href={`${place.base}/v1/audit-log/export?proof=true`} download>
            Download the export with its proof
          </a>
        </p>
        {progress !== undefined && <progress aria-label="Progress" value={progress} max={1} />}
        <Problem failure={failure} />
        {outcome && <Verdict outcome={outcome} />}
      </Card>
      <Heads />
    </>
  );
}

function Verdict({ outcome: { checked, bad } }: { outcome: Outcome }) {
  return (
    <p class={bad ? 'note bad' : 'note good'} role="status">
      {bad
        ? `Entry ${bad.id} differs from what was recorded: ${bad.reason}`
        : `The log is complete and unchanged: ${countText(checked)} entries and seals verified.`}
    </p>
  );
}

function Heads() {
  const heads = useGet('GET /v1/audit-log/heads', { query: { limit: 5 } });
  return (
    <Card title="Evidence for auditors">
      <Shown of={heads} rows={3}>
        {({ heads: list, verifier_key }) => (
          <div class="stack">
            <p class="soft">
              Each line stands for the log as it was then. Copy one and keep it elsewhere: it proves later that nothing
              before it was rewritten. Auditors check its signature with the key <code>{verifier_key}</code>{' '}
              <Copy text={verifier_key} of="the verifier key" />
            </p>
            {list.length === 0 && <p>None yet: entries are sealed within half a minute.</p>}
            <ul class="plain stack">
              {list.map(({ seal, entries, at, checkpoint }) => (
                <li key={seal} class="buttons">
                  <span>
                    {plural(entries, 'entry', 'entries')}, <Time at={at} />
                  </span>
                  <Copy text={checkpoint} of={`the evidence for ${plural(entries, 'entry', 'entries')}`} />
                </li>
              ))}
            </ul>
          </div>
        )}
      </Shown>
    </Card>
  );
}

const remove = (dry_run: boolean) => api('POST /v1/audit-log/retention', { body: { dry_run } });

export function Retention() {
  const [found, setFound] = useState<Body<'POST /v1/audit-log/retention'>>();
  const action = useAction();
  if (!mayManage.value) return null;
  return (
    <Card title="Retention" stack>
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
        <Button
          text="Preview"
          disabled={action.busy}
          act={async () => setFound(await action.run(() => remove(true)))}
        />
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
            work={() => remove(false)}
            done={({ removed }) => `${plural(removed, 'entry', 'entries')} removed.`}
            then={() => setFound(undefined)}
          />
        )}
      </p>
    </Card>
  );
}
