import { plural } from '../shell/format';
import { useLoad } from '../shell/load';
import { api } from '../shell/session';

/** How much waits for a paused sender to go on. */
export function Held({ gateway, connection }: { gateway: string; connection?: string }) {
  const held = useLoad(
    () =>
      api('GET /v1/webhooks/events', {
        query: { gateway, ...(connection !== undefined && { connection }), state: 'held', per_page: 1 },
      }),
    [gateway, connection],
  );
  return (
    <p class="note warn" role="status">
      Paused: what arrives is stored and held.{' '}
      {held.data && `${plural(held.data.pagination.total, 'event')} held until it is resumed.`}
    </p>
  );
}
