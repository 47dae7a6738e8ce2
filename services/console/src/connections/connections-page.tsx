import type { AnswerTo } from '@order-automation/api-gateway/client';
import { useState } from 'preact/hooks';
import { Extended } from '../rules/try-out';
import { useLoad } from '../shell/load';
import { Button, Card, Empty, Page, Problem, Shown } from '../shell/parts';
import { api } from '../shell/session';
import { ConnectionCard } from './connection-card';
import { GatewayCard } from './gateway-card';
import { NewConnection } from './new-connection';
import './connections.css';

export type Connection = Extract<AnswerTo<'GET /v1/webhooks'>, { ok: true }>['body']['connections'][number];
export type Gateway = Extract<AnswerTo<'GET /v1/webhooks/gateways'>, { ok: true }>['body']['gateways'][string];

/** Who sends webhooks: gateways, and senders with an address and a secret of their own. */
export function ConnectionsPage() {
  const gateways = useLoad(() => api('GET /v1/webhooks/gateways'), []);
  const senders = useLoad(() => api('GET /v1/webhooks'), []);
  const [adding, setAdding] = useState(false);
  const locked = senders.failure?.code === 'svc_licence_required';
  const actions = senders.data && <Button text="New sender" class="main" act={() => setAdding(true)} />;
  return (
    <Page title="Connections" sub="Who sends webhooks here." actions={actions}>
      <div class="stack">
        <h2>Senders</h2>
        {locked ? (
          <Extended text="Senders with an address and a secret of their own belong to it." />
        ) : (
          <Shown of={senders} rows={3}>
            {({ connections }) =>
              connections.length === 0 ? (
                <Card flush>
                  <Empty title="No sender of your own yet.">
                    <p>A warehouse, a bank or a script can send events to an address with a secret of its own.</p>
                    <p class="buttons">
                      <Button text="Make the first one" act={() => setAdding(true)} />
                    </p>
                  </Empty>
                </Card>
              ) : (
                connections.map((connection) => (
                  <ConnectionCard
                    key={connection.id}
                    connection={connection}
                    generic={gateways.data?.gateways.generic}
                    reload={senders.reload}
                  />
                ))
              )
            }
          </Shown>
        )}
        <h2>Gateways</h2>
        <Problem failure={gateways.failure} />
        <Shown of={gateways} rows={8}>
          {({ gateways: found }) =>
            Object.values(found).map((gateway) => (
              <GatewayCard key={gateway.name} gateway={gateway} reload={gateways.reload} />
            ))
          }
        </Shown>
      </div>
      {adding && <NewConnection close={() => setAdding(false)} done={senders.reload} />}
    </Page>
  );
}
