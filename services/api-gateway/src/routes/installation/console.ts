import { ServiceError } from '@order-automation/contracts';
import { z } from 'zod';
import type { Edge } from '../../http/edge';
import { route } from '../../http/route';

const open = { method: 'GET', tag: 'Console', access: 'open', errors: ['rest_no_route'] } as const;
const onePage = { ...open, etag: true, kind: 'html', answers: { 200: z.string() }, handle: thePage } as const;

/** One page at each of these addresses: what it shows is decided in the browser, and needs a session. */
function page<const Path extends string>(path: Path, summary: string) {
  return route({ ...onePage, path, summary });
}

/** As `page`, with an id in the address. */
function pageOfOne<const Path extends string, const Name extends string>(
  path: Path,
  summary: string,
  example: Record<Name, string>,
) {
  const [name] = Object.keys(example) as [Name];
  return route({
    ...onePage,
    path,
    summary,
    params: z.object({ [name]: z.string().max(200) } as Record<Name, z.ZodString>),
    example: { params: example },
  });
}

/** decisions.md section 11: the screen of a shop administrator. */
export const consoleRoutes = [
  page('/', 'Open the console: the overview'),
  page('/sign-in', 'Open the console: sign in'),
  page('/log', 'Open the console: the log'),
  pageOfOne('/log/{process_id}', 'Open the console: the story of a process', {
    process_id: 'proc_01KA2Z5X8Q7R9T3V5W7Y9A1C3E',
  }),
  pageOfOne('/orders/{id}', 'Open the console: an order', { id: '1001' }),
  page('/rules', 'Open the console: rules'),
  pageOfOne('/rules/{id}', 'Open the console: a rule', { id: '1' }),
  page('/debugger', 'Open the console: the debugger'),
  page('/connections', 'Open the console: gateways and senders'),
  page('/deliveries', 'Open the console: deliveries'),
  page('/dead-letters', 'Open the console: dead letters'),
  page('/settings', 'Open the console: settings'),
  route({
    ...open,
    path: '/assets/{name}',
    summary: 'Load a file of the console',
    description: 'Its name changes with its content, so it may be kept for ever.',
    params: z.object({ name: z.string().max(200) }),
    kind: 'stream',
    produces: ['text/javascript', 'text/css', 'image/svg+xml'],
    answers: { 200: z.custom<readonly Buffer[]>() },
    example: { params: { name: 'index.js' } },
    handle: async ({ params: { name }, header }, edge) => {
      const file = edge.console.file(name);
      if (!file) throw new ServiceError(404, 'rest_no_route', 'The console has no such file.');
      const zipped = /\bgzip\b/.test(header('accept-encoding') ?? '');
      const bytes = zipped ? file.gzip : file.bytes;
      const headers = {
        'Content-Type': file.type,
        'Content-Length': String(bytes.length),
        'Cache-Control': 'public, max-age=31536000, immutable',
        Vary: 'Accept-Encoding',
        ...(zipped && { 'Content-Encoding': 'gzip' }),
      };
      return { body: [bytes], headers };
    },
  }),
] as const;

async function thePage(_call: unknown, edge: Edge) {
  const built = edge.console.page();
  if (!built) throw new ServiceError(404, 'rest_no_route', 'The console was not built: run `npm run build`.');
  return { body: built.text, headers: { ETag: built.tag, 'Cache-Control': 'no-cache' } };
}
