import { useLoad } from '../shell/load';
import { ButtonLink, Card, Said } from '../shell/parts';
import { api, mayManage } from '../shell/session';
import { type Need, needsOf, type Overview, type Sender } from './needs';

/** What waits for a person, each with the page of its cure; one line where nothing does. */
export function NeedsYou({ of }: { of: Overview }) {
  if (mayManage.value) return <ForManagers of={of} />;
  return <Needs of={needsOf(of, [], Date.now())} seen={of} />;
}

function ForManagers({ of }: { of: Overview }) {
  const gateways = useLoad(() => api('GET /v1/webhooks/gateways'), [of.at]).data?.gateways ?? {};
  const connections = useLoad(() => api('GET /v1/webhooks'), [of.at]).data?.connections ?? [];
  const senders: Sender[] = [
    ...Object.values(gateways).map((one) => ({ ...one, title: one.display_name, inUse: one.status === 'active' })),
    ...connections.map((one) => ({ ...one, title: one.name, inUse: one.enabled })),
  ];
  return <Needs of={needsOf(of, senders, Date.now())} seen={of} />;
}

const forManagers = ['/connections', '/events'];

function Needs({ of: needs, seen }: { of: readonly Need[]; seen: Overview }) {
  const isPartial = [seen.shop, seen.events, seen.deliveries, seen.last_day].includes(null);
  return (
    <>
      {isPartial && <p class="note warn">A part of the service does not answer, so something may be missing here.</p>}
      {needs.length === 0 && !isPartial && <p class="note good">Nothing needs you.</p>}
      {needs.length > 0 && (
        <Card title="Needs you" flush>
          <ul class="plain needs">
            {needs.map(({ text, cure, path, query }) => (
              <li key={text}>
                <span dir="auto">
                  <Said text={text} />
                </span>
                {(mayManage.value || !forManagers.includes(path)) && (
                  <ButtonLink text={cure} class="small" to={path} query={query} label={`${cure}: ${text}`} />
                )}
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}
