import type { RequestOutput, RuleRecord, RuleWarning } from '@order-automation/contracts';
import type { RulesDeps } from '../deps';

/** Milliseconds for the answer. */
const timeout = 1_000;

function sendingOf({ rule }: Pick<RuleRecord, 'rule'>) {
  const of = (id: string) => rule.secondaryActions.filter((action) => action.id === id);
  const texts = (name: string): string[] =>
    of('send_webhook').flatMap(({ settings }) => {
      const value = (settings as Record<string, unknown>)[name];
      return typeof value === 'string' ? [value] : [];
    });
  // Everything up to the path is fixed: placeholders decide nothing about where a call may go.
  const urls = texts('url').map((url) => url.replaceAll(/\{\{[^{}]*\}\}/g, 'x'));
  return { urls, secret_refs: texts('secret_ref'), mails: of('send_email').length > 0 };
}

/** Warns of calls and e-mails of the rule that could not be sent now. When nobody answers in time there are no such warnings. */
export async function sendingWarnings(
  record: Pick<RuleRecord, 'id' | 'name' | 'rule'>,
  { bus, telemetry }: Pick<RulesDeps, 'bus' | 'telemetry'>,
): Promise<RuleWarning[]> {
  const { urls, secret_refs, mails } = sendingOf(record);
  if (urls.length === 0 && !mails) return [];
  const asked = { urls, secret_refs };
  const checked = await bus.request('evaluation.sending.check.v1', asked, { timeout }).catch(telemetry.unchecked);
  return checked ? warningsOf(record, checked, mails) : [];
}

function warningsOf(
  { id, name }: Pick<RuleRecord, 'id' | 'name'>,
  { mail, missing_secrets, refused_urls }: RequestOutput<'evaluation.sending.check.v1'>,
  mails: boolean,
): RuleWarning[] {
  const warnings: RuleWarning[] = [];
  const warn = (code: RuleWarning['code'], text: string) =>
    warnings.push({ code, rule_ids: [id], message: `Rule "${name}": ${text}` });
  for (const secret of missing_secrets)
    warn(
      'missing_secret',
      `there is no secret "${secret}" to sign its calls with. Create it under Settings, Outbound secrets.`,
    );
  for (const { url, reason } of refused_urls) warn('refused_address', `${url.slice(0, 200)} is not called. ${reason}`);
  const noServer =
    'its e-mails are not sent, because there is no mail server: set SMTP_URL and SMTP_FROM where the service is installed.';
  if (mails && !mail) warn('no_mail_server', noServer);
  return warnings;
}
