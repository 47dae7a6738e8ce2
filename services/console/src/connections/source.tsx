import { Delete } from '../shell/act';
import { open } from '../shell/dialogs';
import { plural } from '../shell/format';
import { FormDialog, SecretField, SelectField } from '../shell/forms';
import { useAction } from '../shell/load';
import { Button, Problem, Time } from '../shell/parts';
import { api } from '../shell/session';
import type { Gateway } from './connections-page';

type SourceProps = {
  readonly gateway: Pick<Gateway, 'name' | 'display_name'>;
  readonly source: NonNullable<Gateway['source']>;
  readonly reload: () => Promise<void>;
};

/** Whether the gateway is asked for events that never arrived, what was found, and a way to ask now. */
export function SourceFacts(props: SourceProps) {
  const action = useAction();
  const { gateway, source, reload } = props;
  const { name, display_name: title } = gateway;
  const opens = (text: string, label: string, Opened: typeof KeyDialog) => (
    <Button text={text} class="small" label={label} act={() => open(<Opened {...props} />)} />
  );
  if (!source.connected)
    return (
      <span class="buttons">
        <span class="soft">Not looked for yet.</span>{' '}
        {opens('Look for them', `Look for them: events of ${title} that never arrived`, KeyDialog)}
      </span>
    );
  return (
    <>
      <p>
        <Found source={source} />
      </p>
      {source.problem !== null && <p class="note warn">{source.problem}</p>}
      <p class="buttons">
        {opens('Look again', `Look again for events of ${title} that never arrived`, AskDialog)}
        {opens('New key', `New key for ${title}`, KeyDialog)}
        <Delete
          text="Remove key"
          word="Remove"
          class="small"
          label={`Remove key …${source.key_last4} of ${title}`}
          name="the key"
          effect={`${title} is no longer asked for events that never arrived.`}
          action={action}
          work={() => api('DELETE /v1/webhooks/gateways/{gateway}/source', { params: { gateway: name } })}
          done={`${title} is no longer asked`}
          then={reload}
        />
      </p>
      <Problem failure={action.failure} />
    </>
  );
}

function Found({ source: { asking, asked_at, asked_until, found, last_found } }: Pick<SourceProps, 'source'>) {
  if (asked_at === null) return <>Asked in a moment.</>;
  return (
    <>
      {asking ? 'Being asked, so far up to ' : 'Last asked '}
      <Time at={asking ? asked_until : asked_at} />
      {found === 0
        ? ': nothing was missing.'
        : `: ${plural(found, 'missing event')} found and processed so far, the last `}
      {found > 0 && <Time at={last_found?.at ?? null} />}
    </>
  );
}

function KeyDialog({ gateway: { name, display_name: title }, source, reload }: SourceProps) {
  return (
    <FormDialog
      title={`Events of ${title} that never arrived`}
      text="Save key"
      work={({ key = '' }) =>
        api('PUT /v1/webhooks/gateways/{gateway}/source', { params: { gateway: name }, body: { key } })
      }
      done={`${title} is asked from now on`}
      then={reload}
    >
      <p>
        With a key the gateway is asked every few minutes what it has sent. An event that never arrived here is
        processed as if it had, and your rules run.
      </p>
      <SecretField label="Key" hint={source.key_text} name="key" required />
    </FormDialog>
  );
}

const day = 24 * 3_600_000;
const periods = { 1: 'the last day', 3: 'the last 3 days', 7: 'the last week', 30: 'the last 30 days' } as const;

function AskDialog({ gateway: { name, display_name: title }, reload }: SourceProps) {
  return (
    <FormDialog
      title={`Ask ${title} again`}
      text="Ask now"
      work={({ days = '1' }) => {
        const since = new Date(Date.now() - Number(days) * day).toISOString();
        return api('POST /v1/webhooks/gateways/{gateway}/source/ask', { params: { gateway: name }, body: { since } });
      }}
      done={`${title} is being asked`}
      then={reload}
    >
      <SelectField
        label="What it sent in"
        hint="What arrived already is left alone. What did not is processed now, and your rules run."
        options={periods}
        chosen="1"
        name="days"
      />
    </FormDialog>
  );
}
