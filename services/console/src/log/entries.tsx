import type { AnswerTo } from '@order-automation/api-gateway/client';
import { plural } from '../shell/format';
import { useLoad } from '../shell/load';
import { Pager } from '../shell/pager';
import { Empty, Shown, Status, Table, Time } from '../shell/parts';
import { to } from '../shell/router';
import { api } from '../shell/session';
import type { Filters } from './filters';

export type Entry = Extract<AnswerTo<'GET /v1/audit-log'>, { ok: true }>['body']['logs'][number];

const pageSize = 50;

type EntriesProps = { readonly filters: Filters; readonly flat: boolean; readonly page: number };

/** A page of the log. */
export function Entries({ filters, flat, page }: EntriesProps) {
  const view = flat ? 'flat' : 'consolidated';
  const list = useLoad(
    () => api('GET /v1/audit-log', { query: { ...filters, view, page, per_page: pageSize } }),
    [JSON.stringify(filters), view, page],
  );
  return (
    <Shown of={list} rows={12}>
      {({ logs, pagination, meta }) =>
        logs.length === 0 ? (
          <Nothing filtered={Object.keys(filters).length > 0} />
        ) : (
          <div class={list.loading ? 'fading' : ''}>
            <EntryTable entries={logs} />
            <Pager of={pagination} more={meta.is_truncated} />
          </div>
        )
      }
    </Shown>
  );
}

function Nothing({ filtered }: { filtered: boolean }) {
  if (!filtered) {
    return (
      <Empty title="Nothing has happened yet.">
        <p>What webhooks, rules and people do appears here.</p>
      </Empty>
    );
  }
  return (
    <Empty title="Nothing passes these filters.">
      <p>
        Take one of them away, or look further back. Tests and debug entries are left out unless they are asked for.
      </p>
      <p class="buttons">
        <a class="button" href={to('/log')}>
          Without filters
        </a>
      </p>
    </Empty>
  );
}

type TableProps = {
  readonly entries: readonly Entry[];
  /** False where all entries are about one order. */
  readonly orders?: boolean;
};

export function EntryTable({ entries, orders = true }: TableProps) {
  return (
    <Table heads={[['Time', 'when'], ['Outcome', 'outcome'], 'What happened', ...(orders ? ['Order'] : [])]}>
      {entries.map((entry) => (
        <tr key={entry.id}>
          <td>
            <Time at={entry.timestamp} />
          </td>
          <td>
            <Status value={entry.status} />
          </td>
          <td>
            <a class="rowlink" href={to(`/log/${entry.process_id}`)}>
              {entry.summary}
            </a>{' '}
            {entry.is_test && <Status value="test" />} {entry.is_debug && <Status value="debug" />}{' '}
            {'process_count' in entry && <small>{plural(entry.process_count, 'entry', 'entries')}</small>}
          </td>
          {orders && (
            <td data-label={entry.order_id === null ? undefined : 'Order'}>
              {entry.order_id !== null && <a href={to(`/orders/${entry.order_id}`)}>{entry.order_id}</a>}
            </td>
          )}
        </tr>
      ))}
    </Table>
  );
}
