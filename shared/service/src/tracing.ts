import type { Logger } from 'pino';
import type { TracingConfig } from './common-config';

type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

/** By their names in the semantic conventions, or `order_automation.…`. None holds personal data, a secret or a body; what is absent is left out. */
export type Attributes = Readonly<
  Record<string, string | number | boolean | readonly string[] | readonly number[] | null | undefined>
>;

export type SpanOptions = {
  /** Default `internal`. */
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  /** W3C `traceparent` of further spans that this one works for. */
  readonly links?: readonly string[];
};

/** A span that is recorded. */
export type Span = {
  /** W3C Trace Context: the parent of what follows from it. */
  readonly traceparent: string;
  /** Once; of an error the code alone is kept. */
  end(attributes?: Attributes, error?: unknown): void;
};

/** Spans of one service. Undefined wherever a trace is not sampled: then nothing travels, and nothing below it is recorded. */
export interface Tracing {
  /** Begins a trace, or continues that of the caller; a `traceparent` that is not one counts as none. */
  begin(name: string, traceparent: string | undefined, options?: SpanOptions): Span | undefined;
  /** A span of the trace that `parent` belongs to; undefined without one. */
  span(name: string, parent: string | undefined, options?: SpanOptions): Span | undefined;
  /** A trace of its own for what is done for several at once; undefined when none of them is traced. */
  linked(name: string, links: readonly string[], options?: SpanOptions): Span | undefined;
}

export type TracingProvider = {
  of(service: string): Tracing;
  /** Sends what is left, within a few seconds. */
  close(): Promise<void>;
};

/**
 * Undefined unless OTEL_TRACES_EXPORTER says otherwise: the libraries are loaded by this call alone. `config` is parsed, or of a service without these
 * variables. `defaultName` is `service.name` where OTEL_SERVICE_NAME is not set.
 */
export async function startTracing(
  config: Partial<TracingConfig>,
  defaultName: string,
  log: Logger,
): Promise<TracingProvider | undefined> {
  if (config.tracesExporter !== 'otlp') return undefined;
  const { otlpTracing } = await import('@order-automation/service/otlp');
  return otlpTracing({ ...(config as TracingConfig), serviceName: config.otelServiceName ?? defaultName, log });
}

/** Work that ends these spans; where it fails, all of them end with its error. */
export async function inSpans<T>(spans: readonly (Span | undefined)[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    for (const span of spans) span?.end({}, error);
    throw error;
  }
}

/** What identifies an error in `error.type`: its code, otherwise its class. Its message may quote what it was about. */
export function errorType(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  if (typeof code === 'string' && code !== '') return code;
  return typeof name === 'string' ? name : 'error';
}
