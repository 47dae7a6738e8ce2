import { useLoad } from '../shell/load';
import { Card, Shown } from '../shell/parts';
import { to } from '../shell/router';
import { api, mayManage } from '../shell/session';
import { tellingEntry } from './why';

/** Why the order has its status, in one sentence: from the debugger, or, without its licence, from the log alone. */
export function Why({ id }: { id: string }) {
  const why = useLoad(async () => {
    if (!mayManage.value) return fromLog(id);
    const answer = await api('GET /pro/v1/debug-rule/why/{order_id}', { params: { order_id: id } });
    if (!answer.ok) return answer.status === 403 ? fromLog(id) : answer;
    const { sentence, advice, process_id } = answer.body.data;
    return { ok: true, body: { sentence, advice, process_id } } as const;
  }, [id]);
  return (
    <Card title="Why this status">
      <Shown of={why} rows={2}>
        {({ sentence, advice, process_id }) => (
          <div class="stack">
            <p dir="auto">
              <strong>{sentence}</strong>
            </p>
            {advice !== null && <p>{advice}</p>}
            {process_id !== null && <a href={to(`/log/${process_id}`)}>See what happened</a>}
          </div>
        )}
      </Shown>
    </Card>
  );
}

async function fromLog(id: string) {
  const query = { view: 'flat', order_id: id, include_test: true, per_page: 50 } as const;
  const answer = await api('GET /v1/audit-log', { query });
  if (!answer.ok) return answer;
  const { summary: sentence = 'Nothing has happened to this order yet.', process_id = null } =
    tellingEntry(answer.body.logs) ?? {};
  return { ok: true, body: { sentence, advice: null, process_id } } as const;
}
