import { createHash } from 'node:crypto';
import { createTransport } from 'nodemailer';
import { z } from 'zod';
import type { ActionOutcome } from '../evaluations';
import { type EffectContext, type EffectKind, notRun } from './effects';
import { type Deliver, DeliveryDelayed, DeliveryUnavailable, type EffectQueue } from './queue';

export type MailSettings = { readonly url: string; readonly from: string };

const payloadSchema = z.object({ to: z.string(), subject: z.string(), text: z.string() });

/** An e-mail to be sent; without a mail server it is skipped, and the log says so. */
export function emailEffect(settings: MailSettings | null, queue: EffectQueue): EffectKind<'email'> {
  return (effect, context) => queueMail(effect, context, settings, queue);
}

export async function queueMail(
  { to, subject, body }: { readonly to: string; readonly subject: string; readonly body: string },
  context: EffectContext,
  settings: MailSettings | null,
  queue: EffectQueue,
): Promise<ActionOutcome> {
  if (!settings) return notRun('E-mail not sent: no mail server is configured (SMTP_URL and SMTP_FROM).');
  if (to === '') return notRun('E-mail not sent: the order has no e-mail address.');
  const payload = JSON.stringify({ to, subject, text: body });
  return queue.add('email', payload, context, `An e-mail to ${to} is being sent`);
}

/** Sends over SMTP. The Message-ID derives from the key, so that a mail that is sent twice can be told by it. */
export function mailDelivery(settings: MailSettings | null): { deliver: Deliver; close(): void } {
  const transport =
    settings && createTransport({ url: settings.url, connectionTimeout: 10_000, socketTimeout: 30_000 });
  return {
    deliver: async (payload, key) => {
      if (!settings || !transport) throw new DeliveryUnavailable('No mail server is configured.');
      const { to, subject, text } = payloadSchema.parse(JSON.parse(payload));
      const domain = /@([^@>\s]+)>?\s*$/.exec(settings.from)?.[1] ?? 'localhost';
      const messageId = `<${createHash('sha256').update(key).digest('hex').slice(0, 32)}@${domain}>`;
      try {
        await transport.sendMail({ from: settings.from, to, subject, text, html: htmlOf(text), messageId });
      } catch (error) {
        throw classified(error);
      }
      return `The e-mail to ${to} was sent.`;
    },
    close: () => transport?.close(),
  };
}

/** SMTP's 5xx is a refusal of this mail, 4xx a "not now", anything else means that the server cannot be reached. */
function classified(error: unknown): Error {
  const code = (error as { responseCode?: unknown }).responseCode;
  if (typeof code !== 'number') return new DeliveryUnavailable('The mail server cannot be reached.');
  if (code < 500) return new DeliveryDelayed(`The mail server asks to try again later (${code}).`);
  return new Error(`The mail server refused the e-mail (${code}).`);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** The text as a plain page: paragraphs and line breaks, nothing of it is markup. */
export function htmlOf(text: string): string {
  const escaped = text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
  const paragraphs = escaped.split(/\n{2,}/).map((part) => `<p>${part.replaceAll('\n', '<br>')}</p>`);
  return `<!doctype html><html><body>${paragraphs.join('')}</body></html>`;
}
