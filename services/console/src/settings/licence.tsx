import { useGet } from '../shell/load';
import { Card, Facts, Shown, Status, Time } from '../shell/parts';

/** What the licence covers, and what the extended edition would add. */
export function Licence() {
  const licence = useGet('GET /pro/v1/licence');
  return (
    <Card title="Licence">
      <Shown of={licence} rows={4}>
        {({ edition, active, expires_at, licensee, demonstration, message }) => (
          <div class="stack">
            <p>{message}</p>
            <Facts
              of={[
                ['Edition', <Status key="edition" value={edition} tone={edition === 'extended' ? 'good' : 'quiet'} />],
                licensee !== null && ['Licensed to', licensee],
                ['Expires', <Time key="expires" at={expires_at} />],
              ]}
            />
            {(!active || demonstration) && (
              <p class="soft">
                The extended edition adds rule debugging, senders with their own secrets, outbound webhooks and e-mails,
                schedules, and more triggers and conditions. Set its key in <code>LICENCE_KEY</code>.
              </p>
            )}
          </div>
        )}
      </Shown>
    </Card>
  );
}
