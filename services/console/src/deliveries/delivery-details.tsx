import { Dialog, say } from '../shell/dialogs';
import { durationText } from '../shell/format';
import { useAction, useLoad } from '../shell/load';
import { Button, Problem, Shown, Status, Time } from '../shell/parts';
import { to } from '../shell/router';
import { api, mayManage } from '../shell/session';

type DetailsProps = { readonly id: string; readonly close: () => void; readonly done: () => Promise<void> };

/** One delivery with each attempt and what was answered. */
export function DeliveryDetails({ id, close, done }: DetailsProps) {
  const delivery = useLoad(() => api('GET /v1/deliveries/{id}', { params: { id } }), [id]);
  const { busy, failure, run } = useAction();
  const resend = async () => {
    if (!(await run(() => api('POST /v1/deliveries/{id}/resend', { params: { id } })))) return;
    say('It is sent again.');
    await Promise.all([delivery.reload(), done()]);
  };
  return (
    <Dialog title="Delivery" close={close}>
      <Shown of={delivery} rows={8}>
        {(one) => (
          <>
            <dl class="facts">
              <dt>State</dt>
              <dd>
                <Status value={one.state} />
              </dd>
              <dt>To</dt>
              <dd>{one.target}</dd>
              <dt>Rule</dt>
              <dd>{mayManage.value ? <a href={to(`/rules/${one.rule_id}`)}>{one.rule_name}</a> : one.rule_name}</dd>
              <dt>Process</dt>
              <dd>
                <a href={to(`/log/${one.process_id}`)}>{one.process_id}</a>
              </dd>
              {one.reason !== null && (
                <>
                  <dt>Why not</dt>
                  <dd>{one.reason}</dd>
                </>
              )}
              {one.resent_by !== null && (
                <>
                  <dt>Sent again by</dt>
                  <dd>{one.resent_by}</dd>
                </>
              )}
            </dl>
            <h3>Attempts</h3>
            {one.attempts.length === 0 && <p class="soft">None yet.</p>}
            <ol class="plain stack">
              {one.attempts.map(({ at, took_ms, status, error, answer }) => (
                <li key={at}>
                  <Time at={at} /> <small>{durationText(took_ms)}</small>{' '}
                  {status !== null && (
                    <Status value={String(status)} label={String(status)} tone={status < 300 ? 'good' : 'bad'} />
                  )}
                  {error !== null && <p class="problem">{error}</p>}
                  {answer !== null && answer !== '' && <pre class="raw">{answer}</pre>}
                </li>
              ))}
            </ol>
          </>
        )}
      </Shown>
      <Problem failure={failure} />
      <p class="buttons">
        {mayManage.value && <Button text="Send again" class="main" disabled={busy} act={resend} />}
        <Button text="Close" act={close} />
      </p>
    </Dialog>
  );
}
