import { useEffect } from 'preact/hooks';
import { Copy } from '../shell/act';
import { durationText, inWords, plural } from '../shell/format';
import { useGet } from '../shell/load';
import type { Params } from '../shell/match';
import { ButtonLink, Card, Facts, Page, Shown, Status } from '../shell/parts';
import { to } from '../shell/router';
import { mayManage } from '../shell/session';
import { Received } from './received';
import { Story } from './story';
import './log.css';

/** Milliseconds between two looks at a process that is not finished, and how long they go on. */
const lookEvery = 1_500;
const lookFor = 120_000;

/** One process: everything that followed from one webhook or one change. */
export function ProcessPage({ params }: { params: Params }) {
  const { process_id = '' } = params;
  const process = useGet('GET /v1/audit-log/process/{process_id}', { params: { process_id } });
  const steps = process.data?.logs ?? [];
  const first = steps[0];
  const last = steps.at(-1);
  const unfinished =
    first?.event_type === 'webhook_received' &&
    !steps.some(({ event_type }) => event_type === 'process_completed' || event_type === 'dead_lettered') &&
    Date.now() - Date.parse(first.timestamp) < lookFor;
  useEffect(() => {
    if (!unfinished) return;
    const timer = setInterval(() => void process.reload(), lookEvery);
    return () => clearInterval(timer);
  }, [unfinished, process.reload]);

  const order = steps.find(({ order_id }) => order_id !== null)?.order_id ?? null;
  const took = first && last ? Date.parse(last.timestamp) - Date.parse(first.timestamp) : 0;
  return (
    <Page
      title={order === null ? 'Process' : `Process of order ${order}`}
      sub={
        <>
          <code>{process_id}</code> <Copy text={process_id} of="the process id" />
        </>
      }
      actions={order !== null && <OrderLinks order={order} process={process_id} />}
    >
      <div class="columns">
        <div>
          <Card title="What happened">
            <Shown of={process} rows={10}>
              {({ logs, pagination }) => (
                <>
                  <Story steps={logs} />
                  {unfinished && (
                    <p role="status" class="soft">
                      Not finished yet. New entries appear here.
                    </p>
                  )}
                  {pagination.has_next && (
                    <p class="note">
                      The first {plural(logs.length, 'entry', 'entries')} of {pagination.total}.{' '}
                      <a href={to('/log', { view: 'flat', process_id })}>See all in the log</a>
                    </p>
                  )}
                </>
              )}
            </Shown>
          </Card>
        </div>
        <div>
          {first && last && (
            <Card title="At a glance">
              <Facts
                of={{
                  Outcome: <Status value={last.status} label={outcomeText(last.details.outcome, last.status)} />,
                  Took: durationText(took),
                  Entries: process.data?.pagination.total,
                  Source: inWords(first.source),
                  Test: first.is_test && 'Nothing was changed',
                }}
              />
            </Card>
          )}
          {mayManage.value && <Received processId={process_id} />}
        </div>
      </div>
    </Page>
  );
}

/** Outcomes other than success say more than the status of the last entry. */
function outcomeText(outcome: unknown, status: string): string {
  return inWords(typeof outcome === 'string' && outcome !== 'success' ? outcome : status);
}

function OrderLinks({ order, process }: { order: number; process: string }) {
  return (
    <>
      <ButtonLink text={`Order ${order}`} to={`/orders/${order}`} />
      {mayManage.value && <ButtonLink text="Why not?" to="/debugger" query={{ process, order: String(order) }} />}
    </>
  );
}
