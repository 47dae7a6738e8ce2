import { type Edition, ServiceError } from '@order-automation/contracts';

/** 403 `svc_licence_required`. */
export function requireLicence(edition: Edition): void {
  if (edition === 'extended') return;
  throw new ServiceError(403, 'svc_licence_required', 'Debugging rules needs the extended edition.', {
    violations: [{ path: 'debug-rule', message: 'needs the extended edition' }],
  });
}
