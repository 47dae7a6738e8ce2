import { route } from '../../http/route';
import { overviewSchema, readOverview } from '../../overview';

/** The figures of trouble, as metrics and notifications have them too. */
export const overviewRoutes = [
  route('GET /v1/overview', 'Read the figures of now', {
    description:
      'What needs a look: dead letters (events and deliveries), deliveries that have been in the queue for more than ten minutes and the hosts that do not take them, events that are unfinished, wait for their order or are held by a paused sender, and what the log has of the last hour. A part is null while the service that counts it does not answer.',
    tag: 'Installation',
    access: { needs: 'view_shop_reports' },
    answers: { 200: overviewSchema },
    handle: async (_call, edge) => ({ body: await readOverview(edge) }),
  }),
] as const;
