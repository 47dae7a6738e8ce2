import { ServiceError } from '@order-automation/contracts';
import type { Licence } from '../licence';
import type { Authentication, NobodyReason } from './authenticate';
import { tooManyAttempts } from './guesses';
import { type Capability, capabilitiesOf, type Identity } from './identity';

/** What a route that is not open to all asks of its caller (section 5 of the specification, decisions.md section 9). */
export type Access = {
  /** `anybody`: every user. */
  readonly needs: 'anybody' | 'administrator' | Capability;
  /** A nonce from everybody, not from cookie sessions alone. */
  readonly nonce?: 'always';
  /** Part of the extended edition: what is said where there is no licence for it. */
  readonly extended?: string;
};

/** Why a caller is turned away: `error` is for the caller, `reason` for the log. */
export type Denial = { readonly error: ServiceError; readonly reason: DenialReason; readonly identity?: Identity };
export type DenialReason =
  | NobodyReason
  | 'too_many_attempts'
  | 'bad_nonce'
  | 'read_only'
  | 'missing_capability'
  | 'no_licence';

export type Permission = { readonly identity: Identity } | { readonly denial: Denial };

export type Question = {
  readonly access: Access;
  readonly method: string;
  readonly authentication: Authentication;
  readonly licence: Pick<Licence, 'edition' | 'expires_at' | 'message'>;
  /** Checks the nonce that came with the request. */
  readonly nonceHolds: (identity: Identity) => boolean;
};

/** Decides whether a known caller may go on: who first, then the nonce, then the capability, then the edition. */
export function authorise({ access, method, authentication, licence, nonceHolds }: Question): Permission {
  if (authentication.kind === 'nobody')
    return denied(unauthenticated(denials[authentication.reason]), authentication.reason);
  if (authentication.kind === 'too_many') return denied(tooManyAttempts(authentication.waitMs), 'too_many_attempts');
  const { identity } = authentication;
  const needsNonce = access.nonce === 'always' || (changes(method) && identity.credential.kind === 'session');
  if (needsNonce && !nonceHolds(identity)) return denied(unauthenticated(nonceMissing), 'bad_nonce', identity);
  if (identity.credential.scope === 'read' && changes(method)) return denied(readOnly(), 'read_only', identity);
  if (!holds(access.needs, identity)) return denied(forbidden(), 'missing_capability', identity);
  if (access.extended !== undefined && licence.edition !== 'extended')
    return denied(licenceRequired(licence, access.extended), 'no_licence', identity);
  return { identity };
}

const denied = (error: ServiceError, reason: DenialReason, identity?: Identity): Permission => ({
  denial: { error, reason, ...(identity && { identity }) },
});

const changes = (method: string): boolean => method !== 'GET' && method !== 'HEAD';

function holds(needs: Access['needs'], identity: Identity): boolean {
  if (needs === 'anybody') return true;
  if (needs === 'administrator') return identity.role === 'administrator';
  return capabilitiesOf(identity.role).includes(needs);
}

const nonceMissing =
  'This request needs a nonce. Get one with GET /v1/auth/nonce, with the same credentials, and send it in the header X-Host-Nonce; it is valid for 24 hours.';

const denials = {
  no_credentials:
    'You are not logged in. Log in with POST /v1/auth/login, or send a user name and an application password as Basic credentials.',
  bad_credentials:
    'The credentials are not valid, or have ended. As Basic credentials an application password is taken, not the password that you log in with: POST /v1/auth/application-passwords makes one.',
  session_ended: 'Your session has ended. Log in again with POST /v1/auth/login.',
  token_not_taken:
    'Tokens are taken by the routes of the extended edition alone. Send a user name and an application password as Basic credentials.',
  not_confidential: 'Application passwords and tokens are taken over HTTPS, or from the same machine.',
} as const;

export const unauthenticated = (message: string): ServiceError => new ServiceError(401, 'rest_forbidden', message);

const forbidden = () => new ServiceError(403, 'rest_forbidden', 'Sorry, you are not allowed to do that.');
const readOnly = () => new ServiceError(403, 'rest_forbidden', 'This credential may only read.');

function licenceRequired({ expires_at, message: state }: Question['licence'], what: string): ServiceError {
  const reason = expires_at === null ? ', for which this installation has no licence.' : `. ${state}`;
  const message = `This is part of the extended edition${reason}`;
  const violations = [{ path: '', message: what }];
  return new ServiceError(403, 'svc_licence_required', message, { violations });
}
