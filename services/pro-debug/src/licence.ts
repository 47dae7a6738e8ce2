import type { Bus } from '@order-automation/bus';
import {
  type Edition,
  type RequestInput,
  type RequestOutput,
  type RequestType,
  ServiceError,
} from '@order-automation/contracts';

/** Requests that say which edition the installation has. */
type LicensedType = { [T in RequestType]: RequestInput<T> extends { edition: Edition } ? T : never }[RequestType];

/** Answers with 403 `svc_licence_required` without the extended edition. */
export function licensed<T extends LicensedType>(
  bus: Bus,
  type: T,
  answer: (input: RequestInput<T>) => Promise<RequestOutput<T>>,
) {
  return bus.respond(type, async (input) => {
    if (input.edition === 'extended') return answer(input);
    throw new ServiceError(403, 'svc_licence_required', 'Debugging rules needs the extended edition.', {
      violations: [{ path: 'debug-rule', message: 'needs the extended edition' }],
    });
  });
}
