import { z } from 'zod';
import { requiredMessage } from './check';

export const violationSchema = z.object({ path: z.string(), message: z.string() });
export type Violation = z.infer<typeof violationSchema>;

/** The error body of section 7 of the specification. `data` always carries the HTTP status. */
export const errorBodySchema = z.object({
  code: z.string(),
  message: z.string(),
  data: z.looseObject({ status: z.int() }),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;

/** A refusal that a caller is to read: it crosses the bus and reaches the REST client with code, message and data as they are. `status` is that of HTTP. */
export class ServiceError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly data: Readonly<Record<string, unknown>> = {},
    /** As every error says it of itself (`retryOf` of base). */
    readonly retry: 'now' | 'later' | 'never' = status === 503 || status === 429 ? 'later' : 'never',
  ) {
    super(message);
    this.name = 'ServiceError';
  }

  body(): ErrorBody {
    return { code: this.code, message: this.message, data: { ...this.data, status: this.status } };
  }

  static fromBody(body: ErrorBody, retry?: ServiceError['retry']): ServiceError {
    const { status, ...data } = body.data;
    return new ServiceError(status, body.code, body.message, data, retry);
  }
}

/** Violations in one answer, and characters of each text in one. */
const maxViolations = 50;
const longestText = 300;

/**
 * 400 with the violations: all of them up to 50; past those `violations_omitted` and the message say how many more there are. The code says when all
 * that is wrong is that something is missing (decisions.md section 3). `said` is a sentence that ends with a full stop, for what is no parameter.
 */
export function invalidParameters(violations: readonly Violation[], said?: string): ServiceError {
  const [code, message] = violations.every((violation) => violation.message === requiredMessage)
    ? ['rest_missing_callback_param', said ?? 'Some required parameters are missing.']
    : ['rest_invalid_param', said ?? 'Some parameters are not valid.'];
  const shortened = ({ path, message }: Violation): Violation => {
    return { path: path.slice(0, longestText), message: message.slice(0, longestText) };
  };
  const listed = violations.slice(0, maxViolations).map(shortened);
  const omitted = violations.length - listed.length;
  if (omitted === 0) return new ServiceError(400, code, message, { violations: listed });
  const more = `${message} ${maxViolations} problems are listed; there are ${omitted} more.`;
  return new ServiceError(400, code, more, { violations: listed, violations_omitted: omitted });
}

/** 400 `rest_missing_callback_param`: these fields are not there. */
export const missingParameters = (...paths: readonly string[]): ServiceError =>
  invalidParameters(paths.map((path) => ({ path, message: requiredMessage })));

/** 503 in the documented shape: a part of the service is unavailable for now. */
export function unavailable(part: string): ServiceError {
  const text = `The service is not available at the moment: ${part}. Please try again.`;
  return new ServiceError(503, 'svc_unavailable', text, { part });
}

/** 503 where the answer did not come in time: whether it was done is not known. */
export function unanswered(part: string): ServiceError {
  const text =
    'The service took too long to answer. A change that you asked for may still be made: look before you ask again.';
  return new ServiceError(503, 'svc_unavailable', text, { part });
}
