import type { AnswerTo } from '@order-automation/api-gateway/client';
import { useState } from 'preact/hooks';
import { Dialog, say } from '../shell/dialogs';
import { InputField } from '../shell/forms';
import { type Refusal, useAction } from '../shell/load';
import { Button, Problem } from '../shell/parts';
import { place } from '../shell/place';
import { withSession } from '../shell/session';

type Plan = Extract<AnswerTo<'POST /v1/rules/import'>, { ok: true }>['body'];

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

/** Makes the rules what a file says; first it says what would be done. */
export function ImportRules({ close, done }: { close: () => void; done: () => Promise<void> }) {
  const [text, setText] = useState('');
  const [plan, setPlan] = useState<Plan>();
  const { busy, failure, run } = useAction();
  const preview = async () => setPlan(await run(() => send('preview', text)));
  const apply = async () => {
    if (!(await run(() => send('apply', text)))) return;
    say('The rules are what the file says.');
    close();
    await done();
  };
  return (
    <Dialog title="Import rules" close={close}>
      <InputField
        label="File"
        hint="JSON or YAML, as the export makes it. Rules that are not in it are deleted."
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
          <Button text="Do this" class="danger" disabled={busy} act={apply} />
        ) : (
          <Button text="Say what would be done" class="main" disabled={busy || text === ''} act={preview} />
        )}
        <Button text="Cancel" act={close} />
      </p>
    </Dialog>
  );
}

function PlanOf({ plan }: { plan: Plan }) {
  const parts = [
    ['Made', plan.create],
    ['Changed', plan.change],
    ['Deleted', plan.delete],
    ['Left as they are', plan.unchanged],
  ] as const;
  return (
    <dl class="facts">
      {parts.map(([title, rules]) => (
        <>
          <dt key={title}>{title}</dt>
          <dd key={`${title}-rules`}>
            {rules.length === 0 ? 'none' : rules.map(({ name, summary }) => summary ?? name).join('; ')}
          </dd>
        </>
      ))}
    </dl>
  );
}
