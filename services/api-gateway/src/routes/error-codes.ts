/** Every refusal that the interface documents: its code, and by HTTP status what it means for the caller. */
export const errorCodes = {
  rest_invalid_param: { 400: 'A parameter or a field is not valid; `data.violations` lists what is wrong.' },
  rest_missing_callback_param: { 400: 'Something required is missing; `data.violations` lists what.' },
  rest_invalid_json: { 400: 'The body is not valid JSON in UTF-8, or nests deeper than 64 levels.' },
  rest_invalid_yaml: { 400: 'The body is not valid YAML in UTF-8.' },
  rest_body_incomplete: { 400: 'The connection ended before the body was complete.' },
  svc_unknown_component: { 400: 'The rule names a trigger, condition or action that does not exist.' },
  svc_validation_failed: {
    400: 'Settings break the schema of their component; `data.violations` lists what is wrong.',
  },
  svc_too_many_application_passwords: { 400: 'The user has as many application passwords as one may have.' },
  rest_forbidden: {
    401: 'Nobody is authenticated, or the session nonce is missing or not valid.',
    403: 'The caller lacks the capability that this route needs, or the credential may only read.',
  },
  svc_licence_required: { 403: 'This needs the extended edition, for which the installation has no licence.' },
  rest_no_route: { 404: 'There is nothing at this address.' },
  svc_rule_version_not_found: { 404: 'The rule has no version of this number.' },
  svc_rule_not_found: { 404: 'There is no rule with this id.' },
  svc_no_valid_logs: { 404: 'None of the entries is in the log.' },
  svc_log_not_found: { 404: 'The log has no entry with this id.' },
  svc_process_not_found: { 404: 'The log has no entry of this process.' },
  svc_order_not_found: { 404: 'The shop has no order with this id.' },
  svc_application_password_not_found: { 404: 'The caller has no application password with this id.' },
  svc_user_not_found: { 404: 'There is no user with this id.' },
  svc_session_not_found: { 404: 'The caller has no session with this id.' },
  svc_user_exists: { 409: 'There is a user with this name already; case does not tell names apart.' },
  svc_last_administrator: { 409: 'The last administrator cannot be deleted, disabled or made anything else.' },
  svc_version_conflict: { 412: 'The rule has another version than `If-Match` names: read it again.' },
  rest_request_timeout: { 408: 'The request took too long to arrive.' },
  rest_body_too_large: { 413: 'The body is larger than this route takes.' },
  rest_unsupported_media_type: { 415: 'The route does not take a body of this `Content-Type`, or it is compressed.' },
  svc_too_many_attempts: { 429: 'Too many wrong passwords; `Retry-After` says how many seconds to wait.' },
  svc_internal_error: { 500: 'Something went wrong on our side; the log has the details under the request id.' },
  svc_unavailable: { 503: 'A part of the service is unavailable; `Retry-After` says when to try again.' },
} as const satisfies Record<string, Readonly<Record<number, string>>>;

export type ErrorCode = keyof typeof errorCodes;
