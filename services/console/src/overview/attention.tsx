import { useGet } from '../shell/load';
import { Card, Shown, Status, Time } from '../shell/parts';
import { to } from '../shell/router';

/** Gateways that need attention, with what to do about each. */
export function Attention() {
  const gateways = useGet('GET /v1/webhooks/gateways');
  const health = useGet('GET /v1/webhooks/health');
  return (
    <Card title="Gateways that need attention" actions={<a href={to('/connections')}>All connections</a>}>
      {health.data?.warnings.map(({ text }) => (
        <p class="note warn" key={text}>
          {text}
        </p>
      ))}
      <Shown of={gateways} rows={3}>
        {({ gateways: found }) => {
          const odd = Object.values(found).filter(({ status_reason, last_refusal }) => status_reason ?? last_refusal);
          if (odd.length === 0) return <p>All gateways accept webhooks.</p>;
          return (
            <ul class="plain stack">
              {odd.map(({ name, display_name, status, status_reason, last_refusal }) => (
                <li key={name}>
                  <p>
                    <strong>{display_name}</strong> <Status value={status} />
                  </p>
                  {status_reason !== null && <p class="soft">{status_reason}</p>}
                  {last_refusal && (
                    <p class="soft">
                      Last refusal <Time at={last_refusal.at} />: {last_refusal.text}
                    </p>
                  )}
                </li>
              ))}
            </ul>
          );
        }}
      </Shown>
    </Card>
  );
}
