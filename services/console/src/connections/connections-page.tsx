import { useGet } from '../shell/load';
import { ButtonLink, Card, Empty, Extended, Page, Shown } from '../shell/parts';
import { address } from '../shell/router';
import { type Body, isExtended } from '../shell/session';
import { ConnectSender } from './connect-sender';
import { ofConnection, ofGateway, SenderCard } from './sender-card';

export type Connection = Body<'GET /v1/webhooks'>['connections'][number];
export type Gateway = Body<'GET /v1/webhooks/gateways'>['gateways'][string];

/** Who sends webhooks, or the way to connect one: `connect` in the address is the id of a preset. */
export function ConnectionsPage() {
  const { connect } = address.value.query;
  return connect === undefined ? <Connections /> : <ConnectSender id={connect} />;
}

/** Gateways, and senders with an address and a secret of their own. */
function Connections() {
  const gateways = useGet('GET /v1/webhooks/gateways');
  const senders = useGet('GET /v1/webhooks');
  const presets = useGet('GET /v1/webhooks/presets');
  const generic = gateways.data?.gateways.generic;
  const folded = (senders.data?.connections.length ?? 0) > 3;
  return (
    <Page
      title="Connections"
      stack
      sub="Gateways and services that send webhooks."
      actions={<ButtonLink text="Connect a sender" to="/connections" query={{ connect: 'choose' }} class="main" />}
    >
      <h2>Senders</h2>
      {!isExtended.value ? (
        <Extended text="It adds senders with an address and a secret of their own." />
      ) : (
        <Shown of={senders} rows={3}>
          {({ connections }) =>
            connections.length === 0 ? (
              <Card flush>
                <Empty title="No sender of your own yet">
                  <p>
                    A gateway, a warehouse, a bank or a script sends events to its own address, with its own secret.
                  </p>
                </Empty>
              </Card>
            ) : (
              connections.map((one) => (
                <SenderCard
                  key={one.id}
                  sender={ofConnection(one, generic)}
                  preset={presets.data?.presets.find(({ id }) => id === one.preset)}
                  folded={folded}
                  reload={senders.reload}
                />
              ))
            )
          }
        </Shown>
      )}
      <h2>Gateways</h2>
      <Shown of={gateways} rows={8}>
        {({ gateways: found }) =>
          Object.values(found).map((one) => (
            <SenderCard key={one.name} sender={ofGateway(one)} folded={folded} reload={gateways.reload} />
          ))
        }
      </Shown>
    </Page>
  );
}
