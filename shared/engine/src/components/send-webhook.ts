import { parsedUrl } from '@order-automation/contracts';
import { secondaryAction } from '../component';
import { placeholderList, placeholderViolations, template } from '../placeholders';
import { settingsOf, text } from '../settings-schema';

type SendWebhookSettings = { url: string; secret_ref?: string; event?: string };

/** Everything up to the path is fixed: nothing of an order decides which server is called. */
function addressProblem(url: string): string | null {
  const [, origin = ''] = /^([^/]*\/\/[^/?#]*)/.exec(url) ?? [];
  if (origin.includes('{{')) return 'must not have placeholders before the path';
  const sample = url.replaceAll(/\{\{[^{}]*\}\}/g, 'x');
  const address = /^https?:/.test(sample) ? parsedUrl(sample) : undefined;
  if (address === undefined) return 'must be an address such as https://example.com/hook';
  return address.username !== '' || address.password !== '' ? 'must not contain a user or password' : null;
}

/** A value as a part of an address, so that it cannot add a path or a query, or take a step back (`..`, which `%2E%2E` does as well). */
const part = (value: string) => encodeURIComponent(/^\.+$/.test(value) ? value.replaceAll('.', '%2E') : value);

const plainName = {
  pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]*$',
  'x-pattern-message': 'must be letters, digits, _ . and - alone, and begin with a letter or a digit',
};

/** Where calls may go is decided where they are made: public addresses over https, and what `OUTBOUND_ALLOW` opens. */
export const sendWebhook = secondaryAction<SendWebhookSettings>({
  id: 'send_webhook',
  label: 'Send webhook',
  description: 'Sends the order to another service, signed if you name a secret.',
  edition: 'extended',
  changesOrder: false,
  schema: settingsOf(
    {
      url: text('Address', `The address to call. Placeholders after the host: ${placeholderList}`, 2000, {
        examples: ['https://example.com/hooks/orders'],
      }),
      secret_ref: text(
        'Secret',
        'Name of an outbound secret (Settings), which signs the webhook; without one it is not signed.',
        100,
        plainName,
      ),
      event: text('Event', 'The event that the webhook reports.', 100, { ...plainName, default: 'rule.matched' }),
    },
    ['url'],
  ),
  violations: ({ url }) => {
    const problem = addressProblem(url);
    return [...placeholderViolations('url', url), ...(problem ? [{ path: 'url', message: problem }] : [])];
  },
  compile: ({ url, secret_ref = null, event = 'rule.matched' }) => {
    const render = template(url, part);
    return (situation) => {
      const to = render(situation).slice(0, 4000);
      return {
        effect: { kind: 'webhook', url: to, secret_ref, event },
        describe: { message: `call ${to.replace(/[?#].*$/s, '')} with ${event}`, changes: [] },
      };
    };
  },
});
