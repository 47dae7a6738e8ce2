import type { OrderMail } from '@order-automation/contracts';
import type { Shop } from '../ports/shop';
import type { EffectContext, EffectKind } from './effects';
import { type MailSettings, queueMail } from './email';
import type { EffectQueue } from './queue';

/** A change of the order, applied by the shop once by its key, and the e-mail that the shop wants sent about it. */
export function orderEffect(shop: Shop, settings: MailSettings | null, queue: EffectQueue): EffectKind<'order'> {
  return async ({ command }, context) => {
    const { key, order_id, expected, process_id, cause, rule } = context;
    if (order_id === null) throw new Error('a command without an order');
    const { depth, rules } = cause;
    const result = await shop.apply({
      key,
      order_id,
      command,
      expected,
      cause: { process_id, depth: depth + 1, author: 'automation', rules: [...rules, rule.id] },
    });
    if (result.status === 'stale') return { status: 'stale' };
    const { status, process_id: by, message, changes, mail } = result;
    const told = mail ? `${message} ${await statusMail(mail, context, settings, queue)}` : message;
    return { status, by, message: told, changes };
  };
}

/** The e-mail has a key of its own, which follows from that of the command: a repeated command sends no second one. */
async function statusMail(
  { to, address, subject, body }: OrderMail,
  context: EffectContext,
  settings: MailSettings | null,
  queue: EffectQueue,
): Promise<string> {
  const mail = { to: to === 'shop' ? (settings?.from ?? '') : address, subject, body };
  const { message } = await queueMail(mail, { ...context, key: `${context.key}:mail` }, settings, queue);
  return message;
}
