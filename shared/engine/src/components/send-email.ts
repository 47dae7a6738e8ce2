import { secondaryAction } from '../component';
import { placeholderList, placeholderViolations, template } from '../placeholders';
import { settingsOf, text } from '../settings-schema';

type SendEmailSettings = { to: string; subject: string; body: string };

const isAddress = (one: string) => /^[^\s@,;<>"{}]+@[^\s@,;<>"{}]+\.[^\s@,;<>"{}.]+$/.test(one);
const toCustomer = '{{customer.email}}';

/** Lines end a header: what comes from an order must not. */
const oneLine = (rendered: string) => rendered.replace(/[\r\n\u0085\u2028\u2029]+/g, ' ').trim();

/** Addresses are fixed or the customer's own: nothing else of an order names a reader. */
export const sendEmail = secondaryAction<SendEmailSettings>({
  id: 'send_email',
  label: 'Send e-mail',
  description: 'Sends an e-mail to the customer or to fixed addresses.',
  edition: 'extended',
  changesOrder: false,
  schema: settingsOf({
    to: text('Recipients', `E-mail addresses, separated by commas; ${toCustomer} is the customer.`, 1000, {
      examples: [toCustomer],
    }),
    subject: text('Subject', `One line. Placeholders: ${placeholderList}`, 300),
    body: text('Text', `Plain text. Placeholders: ${placeholderList}`, 10_000),
  }),
  violations: ({ to, subject, body }) => [
    ...to
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one.replace(/\s/g, '') !== toCustomer && !isAddress(one))
      .map((one) => ({ path: 'to', message: `"${one.slice(0, 100)}" is no e-mail address and not ${toCustomer}` })),
    ...placeholderViolations('subject', subject),
    ...placeholderViolations('body', body),
  ],
  compile: (settings) => {
    const addresses = settings.to.split(',').map((one) => template(one.trim()));
    const [subject, body] = [template(settings.subject), template(settings.body)];
    return (situation) => {
      const to = addresses.map((render) => render(situation).trim()).filter(isAddress);
      const effect = {
        kind: 'email',
        to: [...new Set(to)].join(', ').slice(0, 1000),
        subject: oneLine(subject(situation)).slice(0, 1000),
        body: body(situation),
      } as const;
      const message = `send an e-mail to ${effect.to || 'nobody, the order has no valid e-mail address'}: ${effect.subject}`;
      return { effect, describe: { message, changes: [] } };
    };
  },
});
