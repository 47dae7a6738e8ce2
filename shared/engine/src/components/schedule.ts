import { duration, exactDuration, type Order } from '@order-automation/contracts';
import { trigger } from '../component';
import { plainStatuses, statusList } from '../order-status';
import { cronProblem, type ScheduleSettings } from '../schedule-time';
import { settingsOf, text } from '../settings-schema';
import { timeZoneField, timeZoneViolations } from '../time-zone';

const minute = 60_000;

/** Since when the order is in its present status, as far as the shop says. */
const since = ({ status_since, date_modified }: Order): number => Date.parse(status_since ?? date_modified);

function sentence({ cron, order_statuses = [], older_than_minutes = 0 }: ScheduleSettings): string {
  const which = order_statuses.length === 0 ? 'any status' : plainStatuses(order_statuses).join(' or ');
  const age = older_than_minutes === 0 ? '' : ` for more than ${exactDuration(older_than_minutes * minute)}`;
  return `fires at "${cron}" for each order that is in ${which}${age}`;
}

/** Evaluation makes an occurrence for each order at each time that is due (`nextRun`). */
export const schedule = trigger<ScheduleSettings>({
  id: 'schedule',
  label: 'Schedule',
  description: 'Fires at set times, such as every hour, for each order that has been in a status for long enough.',
  edition: 'extended',
  priority: 160,
  schema: settingsOf(
    {
      cron: text(
        'Times',
        'Minute, hour, day of the month, month and day of the week, with * for every one (a cron expression): 0 9 * * mon-fri is 9:00 from Monday to Friday.',
        100,
        { examples: ['0 9 * * mon-fri', '*/15 * * * *'] },
      ),
      timezone: timeZoneField,
      order_statuses: statusList('Order statuses', 'Statuses of the orders to check; none chosen means any.', 0),
      older_than_minutes: {
        type: 'integer',
        title: 'Older than',
        description: 'Minutes that the order must have been in its current status.',
        minimum: 0,
        maximum: 5_256_000,
        default: 0,
      },
    },
    ['cron'],
  ),
  violations: ({ cron, timezone }) => {
    const problem = cronProblem(cron);
    return [...(problem ? [{ path: 'cron', message: problem }] : []), ...timeZoneViolations(timezone)];
  },
  normalise: ({ order_statuses, cron, ...settings }) => ({
    cron: cron.trim(),
    ...settings,
    ...(order_statuses ? { order_statuses: plainStatuses(order_statuses) } : {}),
  }),
  listensTo: () => [{ type: 'schedule' }],
  fires: sentence,
  compile: (settings) => {
    const { older_than_minutes = 0 } = settings;
    const statuses = new Set(plainStatuses(settings.order_statuses ?? []));
    const reason = `the trigger ${sentence(settings)}`;
    return (_occurrence, { context: { order }, now }) => {
      const minutes = Math.floor((now - since(order)) / minute);
      const fires = (statuses.size === 0 || statuses.has(order.status)) && minutes >= older_than_minutes;
      const age = minutes < 1 ? 'less than a minute' : duration(minutes * minute);
      return { fires, reason: `the order has been in status ${order.status} for ${age}; ${reason}` };
    };
  },
});
