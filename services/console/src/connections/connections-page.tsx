import { useState } from 'preact/hooks';
import { useGet } from '../shell/load';
import { Button, Card, Empty, Extended, Page, Shown } from '../shell/parts';
import type { Body } from '../shell/session';
import { NewConnection } from './new-connection';
import { ofConnection, ofGateway, SenderCard } from './sender-card';

export type Connection = Body<'GET /v1/webhooks'>['connections'][number];
export type Gateway = Body<'GET /v1/webhooks/gateways'>['gateways'][string];

/** Who sends webhooks: gateways, and senders with an address and a secret of their own. */
export function ConnectionsPage() {
  const gateways = useGet('GET /v1/webhooks/gateways');
  const senders = useGet('GET /v1/webhooks');
  const [adding, setAdding] = useState(false);
  const add = () => setAdding(true);
  const locked = senders.failure?.code === 'svc_licence_required';
  const generic = gateways.data?.gateways.generic;
  return (
    <Page
      title="Connections"
      sub="Gateways and services that send webhooks."
      actions={senders.data && <Button text="New sender" class="main" act={add} />}
    >
      <div class="stack">
        <h2>Senders</h2>
        {locked ? (
          <Extended text="It adds senders with an address and a secret of their own." />
        ) : (
          <Shown of={senders} rows={3}>
            {({ connections }) =>
              connections.length === 0 ? (
                <Card flush>
                  <Empty title="No sender of your own yet">
                    <p>A warehouse, a bank or a script can send events to its own address, with its own secret.</p>
                    <p class="buttons">
                      <Button text="Add the first one" act={add} />
                    </p>
                  </Empty>
                </Card>
              ) : (
                connections.map((one) => (
                  <SenderCard key={one.id} sender={ofConnection(one, generic)} reload={senders.reload} />
                ))
              )
            }
          </Shown>
        )}
        <h2>Gateways</h2>
        <Shown of={gateways} rows={8}>
          {({ gateways: found }) =>
            Object.values(found).map((one) => (
              <SenderCard key={one.name} sender={ofGateway(one)} reload={gateways.reload} />
            ))
          }
        </Shown>
      </div>
      {adding && <NewConnection close={() => setAdding(false)} done={senders.reload} />}
    </Page>
  );
}
