import type { AnswerTo } from '@order-automation/api-gateway/client';
import { useState } from 'preact/hooks';
import { Changes, Story } from '../log/story';
import { plural } from '../shell/format';
import { SelectField } from '../shell/forms';
import { useAction, useLoad } from '../shell/load';
import { Card, Problem, Shown, Status } from '../shell/parts';
import { api } from '../shell/session';

type Simulated = Extract<AnswerTo<'POST /pro/v1/debug-rule/simulate'>, { ok: true }>['body']['data'];
type Gateway = Extract<AnswerTo<'GET /v1/webhooks/gateways'>, { ok: true }>['body']['gateways'][string];

/** What an event of a gateway would do to the order: the process as it would be logged, and nothing of it done. */
export function Simulate({ order }: { order: string }) {
  const gateways = useLoad(() => api('GET /v1/webhooks/gateways'), []);
  return (
    <Card title="Imagine an event">
      <Shown of={gateways} rows={3}>
        {({ gateways: all }) => <Imagine order={order} gateways={Object.values(all)} />}
      </Shown>
    </Card>
  );
}

const usual = (types: readonly string[]): string =>
  types.find((id) => /succeeded|completed/.test(id)) ?? types[0] ?? '';

function Imagine({ order, gateways }: { order: string; gateways: readonly Gateway[] }) {
  const [gateway, setGateway] = useState(gateways[0]?.name ?? '');
  const typesOf = (name: string) => gateways.find((one) => one.name === name)?.event_types ?? {};
  const [type, setType] = useState(usual(Object.keys(typesOf(gateway))));
  const [simulated, setSimulated] = useState<Simulated>();
  const { busy, failure, run } = useAction();
  const choose = (name: string) => {
    setGateway(name);
    setType(usual(Object.keys(typesOf(name))));
    setSimulated(undefined);
  };
  const imagine = async (event: SubmitEvent) => {
    event.preventDefault();
    const body = { order_id: Number(order), gateway, event_type: type };
    setSimulated((await run(() => api('POST /pro/v1/debug-rule/simulate', { body })))?.data);
  };
  return (
    <form class="form" onSubmit={(event) => void imagine(event)}>
      <SelectField
        label="Gateway"
        options={Object.fromEntries(gateways.map(({ name, display_name }) => [name, display_name]))}
        value={gateway}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      <SelectField
        label="Event"
        options={typesOf(gateway)}
        value={type}
        onChange={(event) => setType(event.currentTarget.value)}
      />
      <p class="buttons">
        <button type="submit" disabled={busy}>
          {busy ? 'Looking' : 'What would happen?'}
        </button>
      </p>
      <Problem failure={failure} />
      {simulated && <Outcome of={simulated} />}
      <small>Nothing is stored, sent or changed by this.</small>
    </form>
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
        <Status value={outcome} tone={tones[outcome] ?? 'quiet'} /> {reason}
      </p>
      {changes.length > 0 && (
        <Changes changes={changes.map(({ field, from, to: after }) => ({ field, from, to: after }))} />
      )}
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
