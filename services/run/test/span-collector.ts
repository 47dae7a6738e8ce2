import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

const valueSchema = z
  .object({
    stringValue: z.string().optional(),
    intValue: z.number().optional(),
    boolValue: z.boolean().optional(),
    arrayValue: z
      .object({ values: z.array(z.object({ stringValue: z.string() }).or(z.object({ intValue: z.number() }))) })
      .optional(),
  })
  .transform(({ stringValue, intValue, boolValue, arrayValue }) =>
    arrayValue ? arrayValue.values.flatMap((value) => Object.values(value)) : (stringValue ?? intValue ?? boolValue),
  );
const attributesSchema = z
  .array(z.object({ key: z.string(), value: valueSchema }))
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, value])));
const spanSchema = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  attributes: attributesSchema,
  status: z.object({ code: z.number() }),
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })),
});
const exportSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: attributesSchema }),
      scopeSpans: z.array(z.object({ scope: z.object({ name: z.string() }), spans: z.array(spanSchema) })),
    }),
  ),
});

export type CollectedSpan = z.output<typeof spanSchema> & {
  readonly resource: Readonly<Record<string, unknown>>;
  readonly scope: string;
};

export type SpanCollector = {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** Headers of the newest export. */
  readonly headers: () => IncomingHttpHeaders;
  /** Everything as it came. */
  readonly text: () => string;
  close(): Promise<void>;
};

/** Takes OTLP over HTTP in JSON, as a collector of OpenTelemetry does. */
export async function spanCollector(): Promise<SpanCollector> {
  const spans: CollectedSpan[] = [];
  let headers: IncomingHttpHeaders = {};
  let text = '';
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      if (req.url !== '/v1/traces') return void res.writeHead(404).end();
      headers = req.headers;
      const body = Buffer.concat(chunks).toString();
      text += body;
      for (const { resource, scopeSpans } of exportSchema.parse(JSON.parse(body)).resourceSpans)
        for (const { scope, spans: added } of scopeSpans)
          spans.push(...added.map((span) => ({ ...span, resource: resource.attributes, scope: scope.name })));
      res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    headers: () => headers,
    text: () => text,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
