import { useGet } from '../shell/load';
import { ButtonLink, Card } from '../shell/parts';
import { mayManage } from '../shell/session';
import { type Need, needsOf, type Overview, type Sender } from './needs';

/** What waits for a person, each with the page of its cure; one line where nothing does. */
export function NeedsYou({ of }: { of: Overview }) {
  return mayManage.value ? <ForManagers of={of} /> : <Needs of={needsOf(of, [], Date.now())} />;
}

function ForManagers({ of }: { of: Overview }) {
  const gateways = useGet('GET /v1/webhooks/gateways').data?.gateways ?? {};
  const connections = useGet('GET /v1/webhooks').data?.connections ?? [];
  const senders: Sender[] = [
    ...Object.values(gateways).map((one) => ({ ...one, title: one.display_name, inUse: one.status === 'active' })),
    ...connections.map((one) => ({ ...one, title: one.name, inUse: one.enabled })),
  ];
  return <Needs of={needsOf(of, senders, Date.now())} />;
}

const forManagers = ['/connections', '/dead-letters'];

function Needs({ of: needs }: { of: readonly Need[] }) {
  if (needs.length === 0) return <p class="note good">Nothing needs you. Everything that arrived was handled.</p>;
  return (
    <Card title="Needs you" flush>
      <ul class="plain needs">
        {needs.map(({ text, cure, path, query }) => (
          <li key={text}>
            <span dir="auto">{text}</span>
            {(mayManage.value || !forManagers.includes(path)) && (
              <ButtonLink text={cure} class="small" to={path} query={query} label={`${cure}: ${text}`} />
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
