import { useState } from 'preact/hooks';
import { plural } from '../shell/format';
import { useSettled } from '../shell/load';
import { api, type Body } from '../shell/session';
import type { Draft } from './draft';
import { RuleWarnings } from './rule-warnings';

type Checked = Pick<Body<'POST /v1/rules/arrival-order'>, 'findings' | 'is_truncated'>;
type ArrivalOrderProps = {
  /** As it would be saved; without one, the enabled rules as they are. */
  readonly draft?: Draft;
  readonly id?: number | undefined;
};

const typingPause = 800;
const nothing: Checked = { findings: [], is_truncated: false };
const more = { message: 'Not every order of webhooks was tried: there may be more results that depend on it.' };

/** Rules whose result depends on the order in which webhooks arrive: all of them, or what the draft has to do with. */
export function ArrivalOrder({ draft, id }: ArrivalOrderProps) {
  const [checked, setChecked] = useState(nothing);
  const named = draft && { ...draft, name: draft.name || 'This rule', ...(id && { rule_id: id }) };
  const body = (named ? { draft: named } : {}) as never;
  const look = () => (draft?.rule.trigger.id === '' ? undefined : api('POST /v1/rules/arrival-order', { body }));
  useSettled(draft ? typingPause : 0, look, (answer) => setChecked(answer.ok ? answer.body : nothing), [
    JSON.stringify(body),
  ]);
  const findings = checked.findings.filter(({ rules }) => !draft || rules.some((rule) => rule.id === (id ?? null)));
  const title = `${plural(findings.length, 'result depends', 'results depend')} on the order in which webhooks arrive`;
  const listed = findings.map(({ text, rules }) => ({ message: text, rule_ids: rules.flatMap(({ id }) => id ?? []) }));
  return <RuleWarnings title={title} of={checked.is_truncated ? [...listed, more] : listed} />;
}
