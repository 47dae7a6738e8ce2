import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Act } from '../shell/act';
import { close, Dialog, say } from '../shell/dialogs';
import { plural } from '../shell/format';
import { InputField } from '../shell/forms';
import { type Loaded, type Refusal, useAction, useGet, type Work } from '../shell/load';
import { Button, Facts, Problem, Said, Shown, Status } from '../shell/parts';
import { go, place } from '../shell/router';
import { api, type Body, withSession } from '../shell/session';
import { RuleWarnings } from './rule-warnings';

type Item = {
  readonly id: string;
  readonly name: string;
  readonly about: ComponentChildren;
  readonly locked?: boolean;
};
type ReadyRulesProps<Data> = {
  readonly title: string;
  readonly of: Loaded<Data>;
  readonly items: (data: Data) => readonly Item[];
  /** Stands there when there is none. */
  readonly none: string;
  /** On the button of each. */
  readonly text: string;
  readonly work: (id: string) => ReturnType<Work<{ readonly rule: { readonly id: number } }>>;
  readonly done: string;
};

/** A list of rules, one of which becomes a rule of the shop. */
function ReadyRules<Data>({ title, of, items, none, text, work, done }: ReadyRulesProps<Data>) {
  const action = useAction();
  return (
    <Dialog title={title}>
      <Problem failure={action.failure} />
      <Shown of={of} rows={6}>
        {(data) => (
          <ul class="plain stack">
            {items(data).length === 0 && <li class="soft">{none}</li>}
            {items(data).map(({ id, name, about, locked = false }) => (
              <li key={id} class="part">
                <header>
                  <div>
                    <h3 dir="auto">{name}</h3>
                    <small>{about}</small>
                  </div>
                  {locked ? (
                    <Status value="locked" label="Extended edition" tone="warn" />
                  ) : (
                    <Act
                      text={text}
                      class="small"
                      label={`${text} ${name}`}
                      action={action}
                      work={() => work(id)}
                      done={done}
                      then={({ rule }) => {
                        close();
                        return go(`/rules/${rule.id}`);
                      }}
                    />
                  )}
                </header>
              </li>
            ))}
          </ul>
        )}
      </Shown>
      <p class="buttons">
        <Button text="Close" act={close} />
      </p>
    </Dialog>
  );
}

export function Templates() {
  return (
    <ReadyRules
      title="Templates"
      of={useGet('GET /v1/rules/templates')}
      items={({ templates }) =>
        templates.map(({ description: about, accessible, ...one }) => ({ ...one, about, locked: !accessible }))
      }
      none="There are no templates."
      text="Use"
      work={(template) => api('POST /v1/rules', { body: { template } })}
      done="Rule created. It runs once you enable it."
    />
  );
}

export function DeletedRules() {
  return (
    <ReadyRules
      title="Deleted rules"
      of={useGet('GET /v1/rules', { query: { deleted: true, per_page: 100 } })}
      items={({ rules }) =>
        rules.map(({ id, name, updated_at }) => ({
          id: String(id),
          name,
          about: <Said text={`Last changed ${updated_at}`} />,
        }))
      }
      none="No rule was deleted in the last 90 days."
      text="Restore"
      work={(id) => api('POST /v1/rules/{id}/restore', { params: { id }, body: {} })}
      done="Rule restored. It runs once you enable it."
    />
  );
}

type Plan = Body<'POST /v1/rules/import'>;

type RulesFile = { readonly name: string; readonly text: string };

/** The client sends JSON; a file of rules may be YAML as well, and is sent as it is. */
async function send(mode: 'preview' | 'apply', { name, text }: RulesFile): Promise<{ ok: true; body: Plan } | Refusal> {
  const type = /\.json$/i.test(name) ? 'application/json' : 'application/yaml';
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
export function ImportRules({ done }: { done: () => Promise<unknown> }) {
  const [file, setFile] = useState<RulesFile>({ name: '', text: '' });
  const [plan, setPlan] = useState<Plan>();
  const { busy, failure, run } = useAction();
  const preview = async () => setPlan(await run(() => send('preview', file)));
  const apply = async () => {
    if (!(await run(() => send('apply', file)))) return;
    say('Rules imported');
    close();
    await done();
  };
  return (
    <Dialog title="Import rules">
      <InputField
        label="File"
        hint="JSON or YAML, as exported. Rules that are not in the file are deleted."
        type="file"
        accept=".json,.yaml,.yml"
        onChange={(event) => {
          setPlan(undefined);
          const [chosen] = event.currentTarget.files ?? [];
          void chosen?.text().then((text) => setFile({ name: chosen.name, text }));
        }}
      />
      <Problem failure={failure} />
      {plan && <PlanOf plan={plan} />}
      <RuleWarnings of={plan?.warnings ?? []} />
      <p class="buttons">
        {plan ? (
          <Button text="Import" class={plan.delete.length > 0 ? 'danger' : 'main'} disabled={busy} act={apply} />
        ) : (
          <Button text="Preview changes" class="main" disabled={busy || file.name === ''} act={preview} />
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
        of={{
          Deleted: names(plan.delete),
          Created: names(plan.create),
          Changed: names(plan.change),
          Unchanged: names(plan.unchanged),
        }}
      />
    </>
  );
}
