import { createHash } from 'node:crypto';
import { escapeHtml } from '@order-automation/service';
import { z } from 'zod';
import { reasonOf } from '../attempts/failures';
import { type EffectContext, notRun } from '../effects/kinds';
import type { ActionOutcome } from '../evaluation-document';
import type { FailureCause } from './document';
import type { Tried } from './outcome';
import type { DeliveryQueue, Send } from './queue';

export type MailSettings = { readonly url: string; readonly from: string };

const payloadSchema = z.object({ to: z.string(), subject: z.string(), text: z.string() });

type Mail = { readonly to: string; readonly subject: string; readonly body: string };

/** An e-mail to be sent; without a mail server it is skipped, and the log says so. */
export async function queueMail(
  { to, subject, body }: Mail,
  context: EffectContext,
  settings: MailSettings | null,
  queue: DeliveryQueue,
): Promise<ActionOutcome> {
  if (!settings) return notRun('E-mail not sent: no mail server is configured (SMTP_URL and SMTP_FROM).');
  if (to === '') return notRun('E-mail not sent: the order has no valid e-mail address.');
  const payload = recipientPayload({ to, subject, body });
  const what = `An e-mail to ${to} is being sent`;
  return queue.add({ kind: 'email', target: to, channel: 'smtp', payload, what }, context);
}

export const recipientPayload = ({ to, subject, body }: Mail): string => JSON.stringify({ to, subject, text: body });

/** Sends over SMTP. The Message-ID derives from the key, so that a mail that is sent twice can be told by it. */
export function mailSender(settings: MailSettings | null): { send: Send; close(): void } {
  let transport: ReturnType<typeof openTransport> | undefined;
  return {
    send: async ({ payload, key, resends }) => {
      if (!settings) return failedMail('unreachable', 'No mail server is configured.', null);
      try {
        const { to, subject, text } = payloadSchema.parse(JSON.parse(payload));
        const domain = /@([^@>\s]+)>?\s*$/.exec(settings.from)?.[1] ?? 'localhost';
        const messageId = `<${createHash('sha256').update(key).digest('hex').slice(0, 32)}@${domain}>`;
        const headers = resends > 0 ? { 'X-Resend': String(resends) } : {};
        const mail = { from: settings.from, to, subject, text, html: htmlOf(text), messageId, headers };
        transport ??= openTransport(settings);
        const { response, rejected, rejectedErrors } = await (await transport).sendMail(mail);
        if (rejected.length > 0) return sentInPart(rejected.map(String), rejectedErrors);
        const status = Number(/^\d{3}/.exec(response)?.[0] ?? 250);
        return { kind: 'delivered', message: `The e-mail to ${to} was sent.`, status, answer: response.slice(0, 2048) };
      } catch (error) {
        return failedSending(error);
      }
    },
    close: () => {
      transport?.then(
        (open) => open.close(),
        () => undefined,
      );
    },
  };
}

/** Loads the library, which takes 2 MB, for the first mail. */
async function openTransport({ url }: MailSettings) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    dnsTimeout: 10_000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  });
}

function failedMail(cause: FailureCause, message: string, status: number | null) {
  return { kind: 'failed', cause, message, status, answer: null } as const satisfies Tried;
}

/** Codes of nodemailer for a server that was not reached; one that refuses our log-in is as good as unavailable. */
const unreachable: ReadonlySet<unknown> = new Set(['ECONNECTION', 'ETIMEDOUT', 'EDNS', 'ESOCKET', 'ETLS', 'EPROTOCOL']);

/** SMTP's 5xx is a refusal of this mail, 4xx a "not now". */
function failedSending(error: unknown): Tried {
  const { responseCode, code } = error as { responseCode?: unknown; code?: unknown };
  const status = typeof responseCode === 'number' ? responseCode : null;
  if (code === 'EAUTH') return failedMail('unavailable', 'The mail server refuses our log-in (SMTP_URL).', status);
  if (status !== null && status < 500)
    return failedMail('unavailable', `The mail server asks to try again later (${status}).`, status);
  if (status !== null) return failedMail('refused', `The mail server refused the e-mail (${status}).`, status);
  if (unreachable.has(code)) return failedMail('unreachable', 'The mail server cannot be reached.', null);
  return failedMail('refused', reasonOf(error), null);
}

/** The server took the e-mail for some of its recipients: to send it again would reach those twice. */
function sentInPart(rejected: readonly string[], errors: readonly { responseCode?: unknown }[] = []): Tried {
  const code = errors.find(({ responseCode }) => typeof responseCode === 'number')?.responseCode;
  const status = typeof code === 'number' ? code : null;
  const names = rejected.join(', ');
  const message = `The mail server refused ${names}${status === null ? '' : ` (${status})`}; the other recipients have the e-mail.`;
  return { ...failedMail('refused', message, status), isFinal: true };
}

/** The text as a plain page: paragraphs and line breaks, nothing of it is markup. */
function htmlOf(text: string): string {
  const paragraphs = escapeHtml(text)
    .split(/\n{2,}/)
    .map((part) => `<p>${part.replaceAll('\n', '<br>')}</p>`);
  return `<!doctype html><html><body>${paragraphs.join('')}</body></html>`;
}
