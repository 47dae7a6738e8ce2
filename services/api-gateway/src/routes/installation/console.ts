import { ServiceError } from '@order-automation/contracts';
import { z } from 'zod';
import type { Edge } from '../../http/edge';
import { route } from '../../http/route';

const open = { tag: 'Console', access: 'open', errors: ['rest_no_route'] } as const;
/** One page at many addresses: what it shows is decided in the browser, and needs a session. */
const page = { ...open, etag: true, kind: 'html', answers: { 200: z.string() }, handle: thePage } as const;
const ofOne = { ...page, params: z.object({ id: z.string().max(200) }) } as const;

/** decisions.md section 11: the screen of a shop administrator. */
export const consoleRoutes = [
  route('GET /', 'Open the console: the overview', page),
  route('GET /sign-in', 'Open the console: sign in', page),
  route('GET /log', 'Open the console: the log', page),
  route('GET /log/{process_id}', 'Open the console: the story of a process', {
    ...page,
    params: z.object({ process_id: z.string().max(200) }),
  }),
  route('GET /orders', 'Open the console: orders', page),
  route('GET /orders/{id}', 'Open the console: an order', { ...ofOne }),
  route('GET /events', 'Open the console: received events', page),
  route('GET /rules', 'Open the console: rules', page),
  route('GET /rules/{id}', 'Open the console: a rule', { ...ofOne }),
  route('GET /debugger', 'Open the console: the debugger', page),
  route('GET /connections', 'Open the console: gateways and senders', page),
  route('GET /deliveries', 'Open the console: deliveries', page),
  route('GET /dead-letters', 'Open the console: dead letters', page),
  route('GET /settings', 'Open the console: settings', page),
] as const;

async function thePage(_call: unknown, edge: Edge) {
  const built = edge.consolePage();
  if (!built) throw new ServiceError(404, 'rest_no_route', 'The console was not built: run `npm run build`.');
  return { body: built.text, headers: { ETag: built.tag, 'Cache-Control': 'no-cache' } };
}
