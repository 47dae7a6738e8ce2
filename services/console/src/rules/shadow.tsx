import { useState } from 'preact/hooks';
import { Act } from '../shell/act';
import { moneyText, plural } from '../shell/format';
import { SelectField } from '../shell/forms';
import { useGet } from '../shell/load';
import { Card, Shown, Status, Time } from '../shell/parts';
import { to } from '../shell/router';
import { api, type Body } from '../shell/session';
import type { EnableProps } from './rule-actions';

type Rule = Pick<Body<'GET /v1/rules/{id}'>, 'id' | 'enabled' | 'shadow'>;

/** The change that puts a rule back into its present state. */
export const backTo = ({ enabled, shadow }: Pick<Rule, 'enabled' | 'shadow'>) => (shadow ? { shadow } : { enabled });

export function RuleState({ rule: { enabled, shadow } }: { rule: Pick<Rule, 'enabled' | 'shadow'> }) {
  if (shadow) return <Status value="info" label="In shadow" />;
  return <Status value={enabled ? 'active' : 'off'} label={enabled ? 'Enabled' : 'Disabled'} />;
}

/** Puts a rule in shadow, or takes it out: it is off then. */
export function ShadowSwitch({ rule, name, reload, ...button }: EnableProps) {
  const { id, shadow = false } = rule;
  const text = shadow ? 'Leave shadow' : 'Try in shadow';
  return (
    <Act
      text={text}
      label={`${text}: ${name}`}
      {...button}
      work={() => api('PUT /v1/rules/{id}', { params: { id }, body: { shadow: !shadow } })}
      undo={() => api('PUT /v1/rules/{id}', { params: { id }, body: backTo(rule) })}
      done={
        shadow ? `“${name}” is disabled` : `“${name}” is in shadow: live events are tried on it, and it does nothing`
      }
      then={reload}
    />
  );
}

/** What a rule in shadow would have done, and where it differs from another rule. */
export function ShadowReport({ id }: { id: number }) {
  const [against, setAgainst] = useState('');
  const rules = useGet('GET /v1/rules', { query: { enabled: true, per_page: 200 } });
  const query = against === '' ? {} : { against: against.slice(1) };
  const report = useGet('GET /v1/rules/{id}/shadow', { params: { id }, query });
  const others = (rules.data?.rules ?? []).filter((one) => one.id !== id);
  return (
    <Card title="In shadow" stack>
      <p>Every live event is tried on this rule, and its actions are not run.</p>
      <Shown of={report} rows={3}>
        {(found) => <Found found={found} own={id} />}
      </Shown>
      <SelectField
        label="Compare with the rule it would replace"
        // Keys that are numbers would come before the empty one.
        options={{ '': 'No rule', ...Object.fromEntries(others.map((one) => [`#${one.id}`, one.name])) }}
        chosen={against}
        onChange={(event) => setAgainst(event.currentTarget.value)}
      />
    </Card>
  );
}

function Found({ found, own }: { found: Body<'GET /v1/rules/{id}/shadow'>; own: number }) {
  const { events, would_match, since, actions, values, against, disagreed, disagreements, is_truncated } = found;
  if (events === 0) return <p>No event has triggered it yet.</p>;
  return (
    <>
      <p>
        Would have matched <strong>{would_match}</strong> of {plural(events, 'event')} since <Time at={since} />.
        {is_truncated && ' Older events were not looked at.'}
      </p>
      <ul>
        {actions.map((action) => (
          <li key={action.id}>
            {action.label}: {plural(action.count, 'time')}
          </li>
        ))}
        {values.map(({ currency, total, orders }) => (
          <li key={currency}>
            Value of {plural(orders, 'order')}: {moneyText(total, currency)}
          </li>
        ))}
        {found.refunded > 0 && <li>Later refunded: {plural(found.refunded, 'order')}</li>}
        {found.disputed > 0 && <li>Later disputed: {plural(found.disputed, 'order')}</li>}
      </ul>
      {against !== null && (
        <>
          <p>
            {disagreed === 0 ? 'Both rules agreed on every event.' : `They disagreed ${plural(disagreed, 'time')}.`}
          </p>
          <ul>
            {disagreements.map(({ process_id, order_id, at, matched_by }) => (
              <li key={process_id}>
                <a href={to(`/log/${process_id}`)}>Order {order_id}</a>: only{' '}
                {matched_by === own ? 'this rule' : 'the other rule'} matched, <Time at={at} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
