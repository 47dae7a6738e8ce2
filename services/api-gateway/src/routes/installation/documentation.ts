import { ServiceError } from '@order-automation/contracts';
import { z } from 'zod';
import { type AssetName, assetTypes } from '../../docs/assets';
import { type GuideName, guideNames } from '../../docs/guides';
import { route } from '../../http/route';

const open = { method: 'GET', tag: 'Documentation', access: 'open', etag: true } as const;
const htmlPage = { ...open, kind: 'html', answers: { 200: z.string() } } as const;
/** Browsers ask whether what they have is current. */
const current = (tag: string) => ({ ETag: tag, 'Cache-Control': 'no-cache' });

/** The interface described, for programs and for people. */
export const documentationRoutes = [
  route({
    ...open,
    path: '/v1/openapi.json',
    summary: 'Read the OpenAPI document of this interface',
    answers: { 200: z.looseObject({ openapi: z.string() }) },
    handle: async (_call, { documentation }) => {
      const { document, tag } = documentation.openApi();
      return { body: document, headers: current(tag) };
    },
  }),
  route({
    ...htmlPage,
    path: '/docs',
    summary: 'Read where everything is described',
    handle: async (_call, { documentation }) => {
      const { text, tag } = documentation.index();
      return { body: text, headers: current(tag) };
    },
  }),
  route({
    ...htmlPage,
    path: '/docs/reference/{subject}',
    summary: 'Read about the routes of one subject',
    params: z.object({ subject: z.string() }),
    errors: ['rest_no_route'],
    example: { params: { subject: 'rules' } },
    handle: async ({ params: { subject } }, { documentation }) => {
      const found = documentation.subject(subject);
      if (!found) throw notThere();
      return { body: found.text, headers: current(found.tag) };
    },
  }),
  route({
    ...htmlPage,
    path: '/docs/metrics',
    summary: 'Read what the metrics tell',
    handle: async (_call, { documentation }) => {
      const { text, tag } = documentation.text('metrics');
      return { body: text, headers: current(tag) };
    },
  }),
  route({
    ...htmlPage,
    path: '/docs/configuration',
    summary: 'Read what can be configured',
    handle: async (_call, { documentation }) => {
      const { text, tag } = documentation.text('configuration');
      return { body: text, headers: current(tag) };
    },
  }),
  route({
    ...open,
    path: '/docs/search.json',
    summary: 'Read what the search of these pages finds',
    answers: {
      200: z.array(z.object({ path: z.string(), title: z.string(), kind: z.string(), words: z.string() })),
    },
    handle: async (_call, { documentation }) => {
      const { entries, tag } = documentation.search();
      return { body: [...entries], headers: current(tag) };
    },
  }),
  route({
    ...htmlPage,
    path: '/docs/guide/{name}',
    summary: 'Read a guide',
    params: z.object({ name: z.string() }),
    errors: ['rest_no_route'],
    example: { params: { name: 'first-rule' } },
    handle: async ({ params: { name } }, { documentation }) => {
      if (!isGuide(name)) throw notThere();
      const { text, tag } = documentation.guide(name);
      return { body: text, headers: current(tag) };
    },
  }),
  route({
    ...open,
    path: '/docs/assets/{name}',
    summary: 'Load a file of these pages',
    params: z.object({ name: z.string() }),
    errors: ['rest_no_route'],
    kind: 'stream',
    produces: ['text/css', 'text/javascript'],
    answers: { 200: z.custom<readonly string[]>() },
    example: { params: { name: 'docs.css' } },
    handle: async ({ params: { name } }, { documentation }) => {
      if (!isAsset(name)) throw notThere();
      const { text, tag, type } = documentation.asset(name);
      return { body: [text], headers: { ...current(tag), 'Content-Type': type } };
    },
  }),
] as const;

function isGuide(name: string): name is GuideName {
  return (guideNames as readonly string[]).includes(name);
}

function isAsset(name: string): name is AssetName {
  return Object.hasOwn(assetTypes, name);
}

function notThere(): ServiceError {
  return new ServiceError(404, 'rest_no_route', 'There is no such page.');
}
