import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { askToLeave, say } from '../shell/dialogs';
import { InputField } from '../shell/forms';
import { type Failure, type Loaded, useAction, useGet, useLoad, withoutMarked } from '../shell/load';
import type { Params } from '../shell/match';
import { Button, Card, Extended, Page, Problem, Shown, Time, Waiting } from '../shell/parts';
import { address, go, guardLeaving } from '../shell/router';
import { api, type Body, isExtended } from '../shell/session';
import { ArrivalOrder } from './arrival-order';
import { BackTest } from './back-test';
import { Builder } from './builder';
import { type Components, componentOf, readComponents } from './components';
import { type Draft, emptyDraft, type Kind, otherProblems, partsOf, type RuleData, ruleOf } from './draft';
import { Flow } from './flow';
import { EnableRule, More, type SavedRule, Versions } from './rule-actions';
import { RuleSentence } from './rule-sentence';
import { RuleWarnings } from './rule-warnings';
import { cleaned, problemText } from './schema-form';
import { RuleState, ShadowReport, ShadowSwitch } from './shadow';
import { type TestResult, TryOut } from './try-out';
import { versionChanges } from './version-changes';
import './rules.css';

/** The builder: a new rule at `/rules/new`, else the rule with this id. */
export function RulePage({ params }: { params: Params }) {
  const { id = '' } = params;
  const isNew = id === 'new';
  useEffect(() => void readComponents(), []);
  const components = useGet('GET /v1/rule-builder/components', isNew ? {} : { query: { rule_id: id } });
  const rule = useLoad<SavedRule | null>(
    async () => (isNew ? { ok: true, body: null } : api('GET /v1/rules/{id}', { params: { id } })),
    [id],
  );
  if (!components.data || rule.data === undefined) {
    const isUnknown = rule.failure?.status === 404 || rule.failure?.status === 400;
    const missing: Loaded<unknown> = rule.failure ? rule : components;
    return (
      <Page
        title={isUnknown ? 'There is no such rule' : 'Rule'}
        sub={isUnknown ? 'If it was deleted, restore it: Rules, More, Deleted rules.' : undefined}
      >
        <Shown of={missing} rows={10}>
          {() => <Waiting rows={10} />}
        </Shown>
      </Page>
    );
  }
  if (rule.data === null) return <Editor components={components.data} saved={emptyDraft} />;
  const { name, stop_processing, version, rule: data } = rule.data;
  return (
    <Editor
      key={version}
      components={components.data}
      saved={{ name, stop_processing, rule: data }}
      record={rule.data}
      reload={rule.reload}
    />
  );
}

/** What the last save of each rule has warned of. */
const warnings = new Map<number, Body<'PUT /v1/rules/{id}'>['warnings']>();

function SaveWarnings({ id }: { id: number }) {
  const shown = warnings.get(id) ?? [];
  return <RuleWarnings of={shown.map((one) => ({ ...one, rule_ids: one.rule_ids.filter((other) => other !== id) }))} />;
}

type EditorProps = {
  readonly components: Components;
  readonly saved: Draft;
  readonly record?: SavedRule;
  readonly reload?: () => Promise<void>;
};

/** The rule as it is sent: without settings that no field shows. */
function toSend(rule: RuleData, components: Components): RuleData {
  const parts = { ...partsOf(rule) };
  for (const kind of Object.keys(parts) as Kind[])
    parts[kind] = parts[kind].map((choice) => {
      const component = componentOf(components, kind, choice.id);
      return component ? { ...choice, settings: cleaned(component.schema, choice.settings) } : choice;
    });
  return ruleOf(parts);
}

function Editor({ components, saved, record, reload }: EditorProps) {
  const [draft, setDraft] = useState(saved);
  const [tested, setTested] = useState<TestResult>();
  const { busy, failure, run, clear } = useAction();
  const enabling = useAction();
  const dirty = JSON.stringify(draft) !== JSON.stringify(saved);
  useEffect(() => {
    if (dirty) return guardLeaving(askToLeave);
  }, [dirty]);

  const rule = toSend(draft.rule, components);
  const change = (next: Draft) => {
    setDraft(next);
    if (failure) clear();
  };
  const save = async (isOverTheirs = false) => {
    const body = { ...draft, rule };
    if (!record) {
      const made = await run(() => api('POST /v1/rules', { body: { ...body, enabled: false } }));
      if (!made) return;
      warnings.set(made.rule.id, made.warnings);
      say('Rule saved. It runs once you enable it.');
      await go(`/rules/${made.rule.id}`, address.value.query, { replace: true, saved: true });
      return;
    }
    const params = { id: record.id };
    const put = (over?: number) =>
      api('PUT /v1/rules/{id}', { params, body, ...(over && { headers: { 'If-Match': `"${over}"` } }) });
    const done = await run(async () => {
      const answer = await put(isOverTheirs ? undefined : record.version);
      if (answer.ok || answer.body.code !== 'svc_version_conflict') return answer;
      // Moving and switching a rule leave what is edited here as it was.
      const now = await api('GET /v1/rules/{id}', { params });
      const isSame = now.ok && versionChanges(saved, now.body, () => undefined).length === 0;
      return isSame ? put(now.body.version) : answer;
    });
    if (!done) return;
    warnings.set(record.id, done.warnings);
    say(`Saved as version ${done.rule.version}`);
    await reload?.();
  };
  const violations = failure?.violations ?? [];
  return (
    <Page
      title={record ? saved.name : 'New rule'}
      sticky
      sub={record && <Known record={record} />}
      actions={
        <>
          {dirty && <small role="status">{busy ? 'Saving…' : 'Not saved'}</small>}
          {record && reload && (
            <>
              <ShadowSwitch rule={record} name={saved.name} action={enabling} reload={reload} disabled={dirty} />
              <EnableRule rule={record} name={saved.name} action={enabling} reload={reload} disabled={dirty} />
            </>
          )}
          <Button text="Save" class="main" disabled={busy || !dirty} act={() => save()} />
        </>
      }
    >
      <div class="columns" inert={busy}>
        <div>
          <Refusal failure={failure} reload={reload} overwrite={() => save(true)} />
          <Problem failure={enabling.failure} />
          {record && <SaveWarnings id={record.id} />}
          <ArrivalOrder draft={{ ...draft, rule }} id={record?.id} />
          <Card>
            <InputField
              label="Name"
              problem={problemText('Name', violations.find(({ path }) => path === 'name')?.message)}
              maxLength={200}
              value={draft.name}
              onInput={(event) => change({ ...draft, name: event.currentTarget.value })}
            />
            {draft.rule.trigger.id !== '' && (
              <>
                <p>
                  <RuleSentence of={draft.rule} />
                </p>
                <Flow of={draft.rule} tested={tested} />
              </>
            )}
          </Card>
          <Builder draft={draft} components={components} violations={violations} change={change} tested={tested} />
        </div>
        <div>
          {record?.shadow && <ShadowReport id={record.id} />}
          {isExtended.value ? (
            <>
              <TryOut rule={rule} tested={tested} change={setTested} order={address.value.query.order} />
              <BackTest rule={rule} id={record?.id} />
            </>
          ) : (
            <Extended text="It tests the rule on an order and on past events while you edit it." />
          )}
          {record && reload && <Versions id={record.id} version={record.version} restored={reload} />}
          {record && <More record={record} name={saved.name} />}
        </div>
      </div>
    </Page>
  );
}

function Known({ record }: { record: SavedRule }) {
  const { version, updated_at, updated_by, stats } = record;
  return (
    <>
      <RuleState rule={record} /> Version {version}, saved <Time at={updated_at} /> by {updated_by}. Ran{' '}
      {stats.run_count}, matched {stats.match_count}, last fired <Time at={stats.last_fired_at} />.
    </>
  );
}

type RefusalProps = {
  readonly failure: Failure | undefined;
  readonly reload: (() => Promise<void>) | undefined;
  readonly overwrite: () => Promise<void>;
};

function Refusal({ failure, reload, overwrite }: RefusalProps) {
  // In the same frame in which the form can be used again: later it would take the focus from where somebody types already.
  useLayoutEffect(() => {
    if (!failure) return;
    const find = (selector: string) => document.querySelector<HTMLElement>(`main ${selector}`);
    const shown = find(':is([aria-invalid=true], .problem)') ?? find('[role=alert]');
    if (!shown) return;
    shown.scrollIntoView({ block: 'center' });
    // A text takes the focus only when it is said that it may.
    if (shown.tabIndex < 0) shown.tabIndex = -1;
    shown.focus({ preventScroll: true });
  }, [failure?.code, failure?.violations]);
  if (!failure) return null;
  if (failure.code === 'svc_version_conflict') {
    return (
      <div class="note warn" role="alert">
        <p>
          Somebody saved this rule after you opened it. Your changes are not saved. If you save yours over it, the other
          version stays under Versions.
        </p>
        <p class="buttons">
          <Button text="Save mine over it" class="small" act={overwrite} />
          <Button text="Discard my changes and show theirs" class="small" act={() => reload?.()} />
        </p>
      </div>
    );
  }
  const others = otherProblems(failure.violations);
  return <Problem failure={withoutMarked(failure, (one) => !others.includes(one))} />;
}
