import { useState } from 'preact/hooks';
import { Dialog, say } from '../shell/dialogs';
import { plural } from '../shell/format';
import { InputField } from '../shell/forms';
import { type Refusal, useAction } from '../shell/load';
import { Button, Facts, Problem } from '../shell/parts';
import { place } from '../shell/place';
import { type Body, withSession } from '../shell/session';

type Plan = Body<'POST /v1/rules/import'>;

/** The client sends JSON; a file of rules may be YAML as well, and is sent as it is. */
async function send(mode: 'preview' | 'apply', text: string): Promise<{ ok: true; body: Plan } | Refusal> {
  const type = text.trimStart().startsWith('{') ? 'application/json' : 'application/yaml';
  const answer = await withSession(`${place.base}/v1/rules/import?mode=${mode}`, {
    method: 'POST',
    headers: { 'content-type': type },
    body: text,
  });
  const body = await answer.json();
  if (answer.ok) return { ok: true, body: body as Plan };
  const requestId = answer.headers.get('x-request-id') ?? '';
  return { ok: false, status: answer.status, body: body as Refusal['body'], requestId };
}

/** Replaces the rules by those of a file; shows the changes first. */
export function ImportRules({ close, done }: { close: () => void; done: () => Promise<void> }) {
  const [text, setText] = useState('');
  const [plan, setPlan] = useState<Plan>();
  const { busy, failure, run } = useAction();
  const preview = async () => setPlan(await run(() => send('preview', text)));
  const apply = async () => {
    if (!(await run(() => send('apply', text)))) return;
    say('Rules imported');
    close();
    await done();
  };
  return (
    <Dialog title="Import rules" close={close}>
      <InputField
        label="File"
        hint="JSON or YAML, as exported. Rules that are not in the file are deleted."
        type="file"
        accept=".json,.yaml,.yml"
        onChange={(event) => {
          setPlan(undefined);
          void event.currentTarget.files?.[0]?.text().then(setText);
        }}
      />
      <Problem failure={failure} />
      {plan && <PlanOf plan={plan} />}
      <p class="buttons">
        {plan ? (
          <Button text="Import" class={plan.delete.length > 0 ? 'danger' : 'main'} disabled={busy} act={apply} />
        ) : (
          <Button text="Preview changes" class="main" disabled={busy || text === ''} act={preview} />
        )}
        <Button text="Cancel" act={close} />
      </p>
    </Dialog>
  );
}

function PlanOf({ plan }: { plan: Plan }) {
  const names = (rules: Plan['create']) => rules.map(({ name, summary }) => summary ?? name).join('; ') || 'none';
  const deleted = plan.delete.length;
  return (
    <>
      {deleted > 0 && <p class="note bad">{plural(deleted, 'rule is', 'rules are')} deleted by this import.</p>}
      <Facts
        of={[
          ['Deleted', names(plan.delete)],
          ['Created', names(plan.create)],
          ['Changed', names(plan.change)],
          ['Unchanged', names(plan.unchanged)],
        ]}
      />
    </>
  );
}
