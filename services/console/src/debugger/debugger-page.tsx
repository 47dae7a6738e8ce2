import type { AnswerTo } from '@order-automation/api-gateway/client';
import { useState } from 'preact/hooks';
import { Conditions } from '../log/story';
import { Extended } from '../rules/try-out';
import { findOrders } from '../shell/find-orders';
import { inWords, plural, sentence, valueText } from '../shell/format';
import { useLoad } from '../shell/load';
import { Button, Card, Empty, Page, Problem, Shown, Status, Time, type Tone } from '../shell/parts';
import { address, setQuery, to } from '../shell/router';
import { api } from '../shell/session';
import { Suggest } from '../shell/suggest';
import { Simulate } from './simulate';

type Explanation = Extract<AnswerTo<'POST /pro/v1/debug-rule/explain'>, { ok: true }>['body']['data'];
type Explained = Explanation['rules'][number];
type Verdict = Explained['verdict'];

const verdicts: Readonly<Record<Verdict, { readonly label: string; readonly tone: Tone }>> = {
  runs: { label: 'Runs', tone: 'good' },
  no_match: { label: 'Does not match', tone: 'bad' },
  not_listening: { label: 'Does not listen to this', tone: 'quiet' },
  stopped: { label: 'Stopped by a rule before it', tone: 'warn' },
  disabled: { label: 'Disabled', tone: 'quiet' },
  error: { label: 'Cannot be evaluated', tone: 'bad' },
};

/** What every rule makes of an order as it is, or made of what happened in a process; nothing is changed. */
export function DebuggerPage() {
  const { order = '', process = '' } = address.value.query;
  return (
    <Page title="Debugger" sub="Why a rule matches an order, or does not. Nothing is changed.">
      <div class="stack">
        <Card>
          <div class="stack">
            <Suggest
              label="An order by number, name or e-mail"
              placeholder="Number, name or e-mail"
              find={findOrders}
              pick={({ value }) => setQuery({ order: value, process: '', page: '' })}
              free
            />
            {order === '' && process === '' && (
              <Empty title="Choose an order.">
                <p>Every rule is looked at, with the smallest change after which it would run.</p>
              </Empty>
            )}
          </div>
        </Card>
        {(order !== '' || process !== '') && <Explanations key={order + process} order={order} process={process} />}
      </div>
    </Page>
  );
}

const pageSize = 20;

function Explanations({ order, process }: { order: string; process: string }) {
  const [disabled, setDisabled] = useState(false);
  const [page, setPage] = useState(1);
  const subject = process !== '' ? { process_id: process } : { order_id: Number(order) };
  const found = useLoad(
    () =>
      api('POST /pro/v1/debug-rule/explain', {
        body: { ...subject, include_disabled: disabled, page, per_page: pageSize },
      }),
    [order, process, disabled, page],
  );
  if (found.failure?.code === 'svc_licence_required') return <Extended text={found.failure.message} />;
  if (found.failure?.code === 'svc_event_not_evaluated' && process !== '' && order !== '') {
    return (
      <>
        <p class="note">{found.failure.message} This is the order as it is now.</p>
        <Explanations order={order} process="" />
      </>
    );
  }
  if (found.failure) return <Problem failure={found.failure} retry={() => void found.reload()} />;
  return (
    <Shown of={found} rows={8}>
      {({ data }) => (
        <>
          <Summary of={data} disabled={disabled} toggle={() => setDisabled(!disabled)} />
          {process === '' && <Simulate key={order} order={order} />}
          {data.rules.map((rule) => (
            <RuleExplained key={rule.rule_id} order={String(data.order_id)} rule={rule} />
          ))}
          {data.rules.length === 0 && (
            <Card flush>
              <Empty title="There is no rule to look at.">
                <p>Rules that are not enabled are shown when they are asked for.</p>
              </Empty>
            </Card>
          )}
          <p class="buttons">
            {data.pagination.has_previous && <Button text="Those that say more" act={() => setPage(page - 1)} />}
            {data.pagination.has_next && <Button text="Further rules" act={() => setPage(page + 1)} />}
          </p>
        </>
      )}
    </Shown>
  );
}

type SummaryProps = { readonly of: Explanation; readonly disabled: boolean; readonly toggle: () => void };

function Summary({ of, disabled, toggle }: SummaryProps) {
  const counted = Object.entries(of.counts).filter(([, count]) => count > 0) as [Verdict, number][];
  return (
    <Card
      title={`Order ${of.order_id}`}
      actions={
        <a class="button small" href={to(`/orders/${of.order_id}`)}>
          Everything that happened to it
        </a>
      }
    >
      <div class="stack">
        <p>
          {of.process_id === null ? (
            'As the order is now.'
          ) : (
            <>
              As it was <Time at={of.at} />, in <a href={to(`/log/${of.process_id}`)}>this process</a>.
            </>
          )}
        </p>
        <p class="buttons">
          {counted.map(([verdict, count]) => (
            <span key={verdict}>
              <Status value={verdict} label={verdicts[verdict].label} tone={verdicts[verdict].tone} />{' '}
              {plural(count, 'rule')}
            </span>
          ))}
        </p>
        <label class="check">
          <input type="checkbox" checked={disabled} onChange={toggle} />
          Disabled rules too
        </label>
      </div>
    </Card>
  );
}

function RuleExplained({ order, rule }: { order: string; rule: Explained }) {
  const { rule_id, rule_name, verdict, reason, conditions, suggestions, changes, listens_to } = rule;
  const { label, tone } = verdicts[verdict];
  return (
    <Card
      title={
        <>
          {rule_name} <Status value={verdict} label={label} tone={tone} />
        </>
      }
      actions={
        <a class="button small" href={to(`/rules/${rule_id}`, { order })} aria-label={`Open the rule ${rule_name}`}>
          Open the rule
        </a>
      }
    >
      <div class="stack">
        <p>{sentence(reason)}</p>
        {verdict === 'not_listening' && listens_to.length > 0 && (
          <p class="soft">It listens to {listens_to.join('; ')}.</p>
        )}
        {conditions.length > 0 && <Conditions conditions={conditions} />}
        {verdict !== 'runs' && suggestions.map((text) => <p key={text}>{sentence(text)}</p>)}
        {verdict !== 'runs' && changes !== null && changes.length > 0 && (
          <p class="note">
            The smallest change:{' '}
            {changes
              .map(({ field, to: wanted }) => `${inWords(field.replace(/^order\./, ''))}: ${valueText(wanted)}`)
              .join('; ')}
          </p>
        )}
      </div>
    </Card>
  );
}
