import { useState } from 'preact/hooks';
import type { Gateway } from '../connections/connections-page';
import { usualType } from '../connections/test-event';
import { Changes, Story } from '../log/story';
import { plural } from '../shell/format';
import { Form, SelectField } from '../shell/forms';
import { useGet } from '../shell/load';
import { Card, Shown, Status } from '../shell/parts';
import { api, type Body } from '../shell/session';

type Simulated = Body<'POST /pro/v1/debug-rule/simulate'>['data'];

/** What an event of a gateway would do to the order: the process as the log would show it, with nothing done. */
export function Simulate({ order }: { order: string }) {
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
      <SelectField
        label="Gateway"
        options={Object.fromEntries(gateways.map(({ name, display_name }) => [name, display_name]))}
        value={gateway}
        onChange={(event) => {
          setGateway(event.currentTarget.value);
          setSimulated(undefined);
        }}
      />
      <SelectField key={gateway} label="Event" name="type" options={types} chosen={usualType(Object.keys(types))} />
      {simulated && <Outcome of={simulated} />}
      <small>This stores, sends and changes nothing.</small>
    </Form>
  );
}

/** Outcomes that are not good and not bad. */
const tones: Readonly<Record<string, 'good' | 'bad' | 'warn'>> = { success: 'good', error: 'bad', partial: 'warn' };

function Outcome({ of: { outcome, reason, changes, effects, entries } }: { of: Simulated }) {
  const sent = effects.filter(({ kind }) => kind !== 'order');
  const steps = entries.flatMap((entry, index) => (entry.is_debug ? [] : [{ ...entry, id: index, duration_ms: null }]));
  return (
    <div class="stack" aria-live="polite">
      <p>
        <Status value={outcome} tone={tones[outcome] ?? 'quiet'} /> <span dir="auto">{reason}</span>
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
