import { useState } from 'preact/hooks';
import type { Gateway } from '../connections/connections-page';
import { usualType } from '../connections/test-event';
import { Conditions, Story } from '../log/story';
import { entryText } from '../log/words';
import { Changes } from '../shell/changes';
import { inWords, plural, sentence, valueText } from '../shell/format';
import { Check, Form, SelectField } from '../shell/forms';
import { useGet } from '../shell/load';
import { OrderLink } from '../shell/order-number';
import { Button, ButtonLink, Card, Empty, Extended, Page, Said, Shown, Status, Time } from '../shell/parts';
import { address, setQuery, to } from '../shell/router';
import { api, type Body, isExtended } from '../shell/session';
import { OrderSearch } from '../shell/suggest';
import verdicts from './verdicts.json';

type Explanation = Body<'POST /pro/v1/debug-rule/explain'>['data'];
type Explained = Explanation['rules'][number];
type Verdict = Explained['verdict'];

/** The verdict of every rule on an order as it is, or in a past process; changes nothing. */
export function DebuggerPage() {
  const { order = '', process = '' } = address.value.query;
  if (!isExtended.value)
    return (
      <Page title="Debugger">
        <Extended text="It says why rules match an order, or do not." />
      </Page>
    );
  return (
    <Page title="Debugger" sub="Why rules match an order, or do not. This changes nothing." stack>
      <Card stack>
        <OrderSearch
          label="An order by number, name or e-mail"
          pick={(id) => setQuery({ order: id, process: '', page: '' })}
        />
        {order === '' && process === '' && (
          <Empty title="Choose an order">
            <p>You see the verdict of every rule, and the smallest change that would make it run.</p>
          </Empty>
        )}
      </Card>
      {(order !== '' || process !== '') && <Explanations key={order + process} order={order} process={process} />}
    </Page>
  );
}

const pageSize = 20;

function Explanations({ order, process }: { order: string; process: string }) {
  const [disabled, setDisabled] = useState(false);
  const [page, setPage] = useState(1);
  const subject = process !== '' ? { process_id: process } : { order_id: Number(order) };
  const body = { ...subject, include_disabled: disabled, page, per_page: pageSize };
  const found = useGet('POST /pro/v1/debug-rule/explain', { body });
  if (found.failure?.code === 'svc_event_not_evaluated' && process !== '' && order !== '') {
    return (
      <>
        <p class="note">{found.failure.message} Here is the order as it is now.</p>
        <Explanations order={order} process="" />
      </>
    );
  }
  return (
    <Shown of={found} rows={8}>
      {({ data }) => (
        <>
          <Summary of={data} disabled={disabled} toggle={() => setDisabled(!disabled)} />
          {process === '' && <Simulate key={order} order={order} />}
          {data.rules.map((rule) => (
            <RuleExplained key={rule.rule_id} order={String(data.order_id)} rule={rule} few={data.rules.length < 4} />
          ))}
          {data.rules.length === 0 && (
            <Card flush>
              <Empty title="No rules to show">
                <p>Disabled rules are only shown when you include them.</p>
              </Empty>
            </Card>
          )}
          <p class="buttons">
            {data.pagination.has_previous && <Button text="Previous rules" act={() => setPage(page - 1)} />}
            {data.pagination.has_next && <Button text="More rules" act={() => setPage(page + 1)} />}
          </p>
        </>
      )}
    </Shown>
  );
}

function Summary({ of, disabled, toggle }: { of: Explanation; disabled: boolean; toggle: () => void }) {
  const counted = Object.entries(of.counts).filter(([, count]) => count > 0) as [Verdict, number][];
  return (
    <Card title={<OrderLink id={of.order_id} text="Order " />} stack>
      <p>
        {of.process_id === null ? (
          'The order as it is now, each rule as if its trigger had fired.'
        ) : (
          <>
            The order as it was <Time at={of.at} />, in <a href={to(`/log/${of.process_id}`)}>this process</a>.
          </>
        )}
      </p>
      <p class="buttons">
        {counted.map(([verdict, count]) => (
          <span key={verdict}>
            <Status value={verdict} label={verdicts[verdict]} /> {plural(count, 'rule')}
          </span>
        ))}
      </p>
      <Check label="Include disabled rules" checked={disabled} onChange={toggle} />
    </Card>
  );
}

/** Of many rules, those that do not match are a row each until they are opened. */
function RuleExplained({ order, rule, few }: { order: string; rule: Explained; few: boolean }) {
  const { rule_id, rule_name, verdict, reason, conditions, suggestions, changes } = rule;
  return (
    <details class="card" open={few || verdict === 'runs'}>
      <summary>
        <h2>
          <bdi>{rule_name}</bdi> <Status value={verdict} label={verdicts[verdict]} />
        </h2>
        <small dir="auto">
          <Said text={sentence(reason)} />
        </small>
      </summary>
      <div class="body stack">
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
        <ButtonLink
          text="Open the rule"
          class="small"
          to={`/rules/${rule_id}`}
          query={{ order }}
          label={`Open the rule ${rule_name}`}
        />
      </div>
    </details>
  );
}

type Simulated = Body<'POST /pro/v1/debug-rule/simulate'>['data'];

/** What an event of a gateway would do to the order: the process as the log would show it, with nothing done. */
function Simulate({ order }: { order: string }) {
  const gateways = useGet('GET /v1/webhooks/gateways');
  return (
    <Card title="Simulate an event">
      <Shown of={gateways} rows={3}>
        {({ gateways: all }) => <Simulation order={order} gateways={Object.values(all)} />}
      </Shown>
    </Card>
  );
}

function Simulation({ order, gateways }: { order: string; gateways: readonly Gateway[] }) {
  const [gateway, setGateway] = useState(gateways[0]?.name ?? '');
  const types = gateways.find((one) => one.name === gateway)?.event_types ?? {};
  const [simulated, setSimulated] = useState<Simulated>();
  return (
    <Form
      text="Simulate"
      busyText="Simulating..."
      work={({ type = '' }) => {
        const body = { order_id: Number(order), gateway, event_type: type };
        return api('POST /pro/v1/debug-rule/simulate', { body });
      }}
      answered={(answer) => setSimulated(answer?.data)}
    >
      <div class="stack" onChange={() => setSimulated(undefined)}>
        <SelectField
          label="Gateway"
          options={Object.fromEntries(gateways.map(({ name, display_name }) => [name, display_name]))}
          value={gateway}
          onChange={(event) => setGateway(event.currentTarget.value)}
        />
        <SelectField key={gateway} label="Event" name="type" options={types} chosen={usualType(Object.keys(types))} />
      </div>
      {simulated && <Outcome of={simulated} />}
      <small>This stores, sends and changes nothing.</small>
    </Form>
  );
}

function Outcome({ of: { outcome, reason, changes, effects, entries } }: { of: Simulated }) {
  const last = entries.find(({ summary }) => summary === reason);
  const sent = effects.filter(({ kind }) => kind !== 'order');
  const steps = entries.flatMap((entry, index) => (entry.is_debug ? [] : [{ ...entry, id: index, duration_ms: null }]));
  return (
    <div class="stack" aria-live="polite">
      <p>
        <Status value={outcome} /> <span dir="auto">{last ? entryText(last) : reason}</span>
      </p>
      <Changes changes={changes} />
      {sent.map(({ label, target, message }, index) => (
        <p key={`${label}-${index}`}>
          <strong>{label}</strong>
          {target === null ? '' : ` to ${target}`}: <span class="soft">{message}</span>
        </p>
      ))}
      <details>
        <summary>The log would have {plural(steps.length, 'entry', 'entries')}</summary>
        <Story steps={steps} />
      </details>
    </div>
  );
}
