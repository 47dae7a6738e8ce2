import { type Answer, isoTime, type RequestInput, type RequestOutput } from '@order-automation/contracts';
import type { Clock, Outbound } from '@order-automation/service';
import { reasonOf } from '../attempts/failures';
import { type MailSettings, recipientPayload } from './email';
import type { Send } from './queue';
import { callPayload } from './webhook';

type Message = RequestInput<'evaluation.message.send.v1'>;

export type MessageDeps = {
  readonly mail: MailSettings | null;
  readonly send: Readonly<Record<'email' | 'webhook', Send>>;
  readonly calls: Outbound;
  readonly clock: Clock;
};

/** Sends a message of the installation to its people, once and now; the caller keeps trying. It is no delivery of a rule, and in no list or log. */
export const sendMessage: Answer<'evaluation.message.send.v1', MessageDeps> = async (message, deps) => {
  if (message.kind === 'heartbeat') return beat(message.to, deps.calls);
  if (message.kind === 'email' && !deps.mail)
    return { sent: false, reason: 'No mail server is configured (SMTP_URL and SMTP_FROM).' };
  const outgoing = {
    key: message.key,
    resends: 0,
    tries: 0,
    channel: message.kind,
    payload: payloadOf(message, deps.clock),
  };
  const tried = await deps.send[message.kind](outgoing);
  return tried.kind === 'delivered' ? { sent: true, reason: null } : { sent: false, reason: tried.message };
};

function payloadOf({ kind, to, secret_ref, subject, body, data }: Message, clock: Clock): string {
  if (kind === 'email') return recipientPayload({ to, subject, body });
  const content = {
    type: 'order_automation.notification',
    timestamp: isoTime(clock.now()),
    // What chats show, docs.slack.dev/messaging/sending-messages-using-incoming-webhooks; one without it is refused as `no_text`.
    text: `${subject}\n${body}`,
    data: { subject, body, ...data },
  };
  return callPayload({ url: to, secret_ref, body: JSON.stringify(content) });
}

async function beat(url: string, calls: Outbound): Promise<RequestOutput<'evaluation.message.send.v1'>> {
  try {
    const { status } = await calls.request(url, { method: 'GET' });
    return status < 400
      ? { sent: true, reason: null }
      : { sent: false, reason: `The heartbeat address answered ${status}.` };
  } catch (error) {
    return { sent: false, reason: reasonOf(error) };
  }
}
