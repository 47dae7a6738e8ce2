import { trigger } from '../component';
import { plainStatus, plainStatuses, statusList } from '../order-status';
import { settingsOf } from '../settings-schema';

type AnyStatusChangeSettings = { from?: string[]; to?: string[] };

function text({ from = [], to = [] }: AnyStatusChangeSettings): string {
  const left = from.length === 0 ? 'any status' : plainStatuses(from).join(' or ');
  const entered = to.length === 0 ? 'any other' : plainStatuses(to).join(' or ');
  return `fires when an order goes from ${left} to ${entered}`;
}

/** An order that is created comes from no status: it fires where `from` is empty. */
export const anyStatusChange = trigger<AnyStatusChangeSettings>({
  id: 'any_status_change',
  label: 'Any change of status',
  description: 'Fires when the status of an order changes, from and to the statuses chosen.',
  edition: 'extended',
  priority: 75,
  schema: settingsOf({
    from: statusList('From', 'Statuses that the order leaves; none chosen means any, and a new order too.', 0),
    to: statusList('To', 'Statuses that the order enters; none chosen means any.', 0),
  }),
  normalise: ({ from, to }) => ({
    ...(from ? { from: plainStatuses(from) } : {}),
    ...(to ? { to: plainStatuses(to) } : {}),
  }),
  listensTo: ({ to = [] }) =>
    to.length === 0
      ? [{ type: 'order_status_changed' }]
      : plainStatuses(to).map((to_status) => ({ type: 'order_status_changed', to_status })),
  fires: text,
  compile: (settings) => {
    const left = new Set((settings.from ?? []).map(plainStatus));
    const reason = `the trigger ${text(settings)}`;
    return ({ key, from_status, to_status }) => {
      const imagined = key === 'test' && from_status === null && [...left].some((one) => one !== to_status);
      return { fires: left.size === 0 || imagined || (from_status !== null && left.has(from_status)), reason };
    };
  },
});
