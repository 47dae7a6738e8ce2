import { useLoad } from '../shell/load';
import { Card, Shown, Status, Time } from '../shell/parts';
import { api } from '../shell/session';

/** What this installation is entitled to, and what the extended edition would add. */
export function Licence() {
  const licence = useLoad(() => api('GET /pro/v1/licence'), []);
  return (
    <Card title="Licence">
      <Shown of={licence} rows={4}>
        {({ edition, active, expires_at, licensee, demonstration, message }) => (
          <div class="stack">
            <p>{message}</p>
            <dl class="facts">
              <dt>Edition</dt>
              <dd>
                <Status value={edition} tone={edition === 'extended' ? 'good' : 'quiet'} />
              </dd>
              {licensee !== null && (
                <>
                  <dt>Licensed to</dt>
                  <dd>{licensee}</dd>
                </>
              )}
              <dt>Expires</dt>
              <dd>{expires_at === null ? 'never' : <Time at={expires_at} />}</dd>
            </dl>
            {(!active || demonstration) && (
              <p class="soft">
                The extended edition adds rule debugging, senders with secrets of their own, outbound webhooks and
                e-mails, schedules, and further triggers and conditions. Its key stands in <code>LICENCE_KEY</code>.
              </p>
            )}
          </div>
        )}
      </Shown>
    </Card>
  );
}
