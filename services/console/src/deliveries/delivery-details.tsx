import { Act } from '../shell/act';
import { Dialog } from '../shell/dialogs';
import { durationText } from '../shell/format';
import { useAction, useGet } from '../shell/load';
import { Button, Facts, Problem, Raw, Shown, Status, Time } from '../shell/parts';
import { to } from '../shell/router';
import { api, type Body, mayManage } from '../shell/session';

/** One delivery with each attempt and its answer. */
export function DeliveryDetails({ id, close, done }: { id: string; close: () => void; done: () => Promise<void> }) {
  const params = { id };
  const delivery = useGet('GET /v1/deliveries/{id}', { params });
  const action = useAction();
  return (
    <Dialog title="Delivery" close={close}>
      <Shown of={delivery} rows={8}>
        {(one) => <Details of={one} />}
      </Shown>
      <Problem failure={action.failure} />
      <p class="buttons">
        {mayManage.value && (
          <Act
            text="Send again"
            class="main"
            action={action}
            work={() => api('POST /v1/deliveries/{id}/resend', { params })}
            done="Sending again..."
            then={() => Promise.all([delivery.reload(), done()])}
          />
        )}
        <Button text="Close" act={close} />
      </p>
    </Dialog>
  );
}

function Details({ of }: { of: Body<'GET /v1/deliveries/{id}'> }) {
  const { state, target, rule_id, rule_name, process_id, reason, resent_by, attempts } = of;
  return (
    <>
      <Facts
        of={[
          ['State', <Status key="state" value={state} />],
          ['To', target],
          ['Rule', mayManage.value ? <a href={to(`/rules/${rule_id}`)}>{rule_name}</a> : rule_name],
          [
            'Process',
            <a key="process" href={to(`/log/${process_id}`)}>
              {process_id}
            </a>,
          ],
          reason !== null && ['Reason', reason],
          resent_by !== null && ['Sent again by', resent_by],
        ]}
      />
      <h3>Attempts</h3>
      {attempts.length === 0 && <p class="soft">None yet.</p>}
      <ol class="plain stack">
        {attempts.map(({ at, took_ms, status, error, answer }) => (
          <li key={at}>
            <Time at={at} /> <small>{durationText(took_ms)}</small>{' '}
            {status !== null && (
              <Status value={String(status)} label={String(status)} tone={status < 300 ? 'good' : 'bad'} />
            )}
            {error !== null && <p class="problem">{error}</p>}
            {answer && <Raw text={answer} />}
          </li>
        ))}
      </ol>
    </>
  );
}
