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

type SendersProps = {
  readonly connections: readonly Connection[];
  readonly generic: Gateway | undefined;
  readonly folded: boolean;
  readonly reload: () => Promise<void>;
};

function Senders({ connections, generic, folded, reload }: SendersProps) {
  const { data } = useGet('GET /v1/webhooks/presets');
  const presetOf = ({ preset }: Connection) => data?.presets.find(({ id }) => id === preset);
  return (
    <>
      {connections.map((one) => (
        <SenderCard key={one.id} sender={ofConnection(one, generic)} preset={presetOf(one)} {...{ folded, reload }} />
      ))}
    </>
  );
}

/** Gateways, and senders with an address and a secret of their own. */
function Connections() {
  const gateways = useGet('GET /v1/webhooks/gateways');
  const senders = useGet('GET /v1/webhooks');
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
              <Senders {...{ connections, generic, folded }} reload={senders.reload} />
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
