import { hostname } from 'node:os';
import {
  type Context,
  type Attributes as OtelAttributes,
  SpanKind as OtelKind,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { SamplerName, TracingConfig } from './common-config';
import { outageLog } from './outage-log';
import { systemClock } from './service';
import { type Attributes, errorType, type Span, type SpanOptions, type Tracing, type TracingProvider } from './tracing';

type Options = Omit<TracingConfig, 'otelServiceName'> & { readonly serviceName: string; readonly log: Logger };

/** Milliseconds between two exports, for one of them, and for the last one when the process closes. */
const exportEvery = 1_000;
const exportTimeout = 5_000;
const closeTimeout = 3_000;
/** Spans that wait for their export; what does not fit is lost. */
const maxQueueSize = 8_192;

/** Spans to a collector by OTLP over HTTP in JSON. A collector that is unavailable loses spans and holds nothing up. */
export function otlpTracing({ serviceName, log, ...config }: Options): TracingProvider {
  const exporter = new OTLPTraceExporter({
    url: `${config.otlpEndpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: config.otlpHeaders?.reveal() ?? {},
    timeoutMillis: exportTimeout,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': serviceName,
      'service.namespace': 'order-automation',
      'service.instance.id': `${hostname()}:${process.pid}`,
    }),
    sampler: samplerOf(config.tracesSampler, config.tracesSamplerRatio),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reportingOutages(exporter, log),
        maxQueueSize,
        scheduledDelayMillis: exportEvery,
        exportTimeoutMillis: exportTimeout,
      }),
    ],
  });
  return {
    of: (service) => tracingOf(provider.getTracer(`order-automation/${service}`)),
    close: async () => {
      const late = new Promise<void>((resolve) => setTimeout(resolve, closeTimeout).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
    },
  };
}

function reportingOutages(exporter: SpanExporter, log: Logger): SpanExporter {
  const outage = outageLog('sending spans', { clock: systemClock, log });
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code === ExportResultCode.SUCCESS) outage.recovered();
        else outage.failed(result.error, spans.length);
        done(result);
      }),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}

function samplerOf(name: SamplerName, ratio: number): Sampler {
  const root: Sampler = name.endsWith('always_on')
    ? new AlwaysOnSampler()
    : name.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(ratio);
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

const kinds = {
  internal: OtelKind.INTERNAL,
  server: OtelKind.SERVER,
  client: OtelKind.CLIENT,
  producer: OtelKind.PRODUCER,
  consumer: OtelKind.CONSUMER,
} as const;

function tracingOf(tracer: Tracer): Tracing {
  const start = (name: string, context: Context, options: SpanOptions = {}): Span | undefined => {
    const links = (options.links ?? []).flatMap((link) => {
      const linked = parseTraceParent(link);
      return linked ? [{ context: linked }] : [];
    });
    const settings = { kind: kinds[options.kind ?? 'internal'], attributes: given(options.attributes), links };
    return recorded(tracer.startSpan(name, settings, context));
  };
  return {
    begin: (name, traceparent, options) => start(name, contextOf(traceparent) ?? ROOT_CONTEXT, options),
    span: (name, parent, options) => {
      const context = contextOf(parent);
      return context && start(name, context, options);
    },
    linked: (name, links, options) =>
      links.length === 0 ? undefined : start(name, ROOT_CONTEXT, { ...options, links }),
  };
}

function contextOf(traceparent: string | undefined): Context | undefined {
  const parent = traceparent === undefined ? null : parseTraceParent(traceparent);
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : undefined;
}

function recorded(span: OtelSpan): Span | undefined {
  if (!span.isRecording()) return undefined;
  const { traceId, spanId } = span.spanContext();
  return {
    traceparent: `00-${traceId}-${spanId}-01`,
    end: (attributes, error) => {
      if (!span.isRecording()) return;
      span.setAttributes(given(attributes));
      if (error !== undefined) {
        span.setAttribute('error.type', errorType(error));
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
}

function given(attributes: Attributes = {}): OtelAttributes {
  const present = Object.entries(attributes).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(present) as OtelAttributes;
}
