import type { Order, OrderMail } from '@order-automation/contracts';
import mails from './order-mail.json';

const maxLines = 50;

type Text = { readonly to: OrderMail['to']; readonly subject: string; readonly sentence: string };

/** The statuses about which a WooCommerce shop sends an e-mail by itself, and to whom. */
const texts: Readonly<Record<string, Text>> = mails as Record<keyof typeof mails, Text>;

/** The e-mail about the status that the order has entered; null where a shop sends none. */
export function mailAbout(order: Order, status: string): OrderMail | null {
  const text = Object.hasOwn(texts, status) ? texts[status] : undefined;
  if (!text) return null;
  const { billing, number, currency, total } = order;
  const greeting = text.to === 'customer' ? `Hello ${oneLine(billing.first_name) || 'there'},\n\n` : '';
  const by = text.to === 'shop' ? `\nCustomer: ${oneLine(`${billing.first_name} ${billing.last_name}`)}` : '';
  const body = `${greeting}${text.sentence}\n\nOrder ${oneLine(number)}${by}\n${linesOf(order).join('\n')}\nTotal: ${total} ${currency}\n`;
  return {
    to: text.to,
    address: text.to === 'customer' ? oneLine(billing.email) : '',
    subject: text.subject.replace('{number}', () => `#${oneLine(number)}`),
    body,
  };
}

function linesOf({ line_items, shipping_lines, currency }: Order): string[] {
  const items = line_items.map(({ quantity, name, total }) => `${quantity} x ${oneLine(name)}: ${total} ${currency}`);
  const more = items.length > maxLines ? [`and ${items.length - maxLines} more`] : [];
  const shipping = shipping_lines.map(({ method_title, total }) => `${oneLine(method_title)}: ${total} ${currency}`);
  return [...items.slice(0, maxLines), ...more, ...shipping];
}

/** What customers type stays on its line. */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 200);
