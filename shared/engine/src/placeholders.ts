import { localTimeText, type Violation } from '@order-automation/contracts';
import { piecesIn } from './products';
import type { Situation } from './situation';

const customerName = ({ context: { order } }: Situation): string =>
  [order.billing.first_name, order.billing.last_name].filter((part) => part !== '').join(' ');

/** By the shop's clocks, as people read it: `2026-11-21 10:00:00`. */
const dateCreated = ({ context: { order }, timeZone }: Situation): string =>
  localTimeText(Date.parse(order.date_created), timeZone).replace('T', ' ');

/** The fixed list (decisions.md section 4): what `{{name}}` stands for in the text settings of actions. */
const values = new Map<string, (situation: Situation) => string>([
  ['order.id', ({ context }) => String(context.order.id)],
  ['order.number', ({ context }) => context.order.number],
  ['order.status', ({ context }) => context.order.status],
  ['order.total', ({ context }) => context.order.total],
  ['order.currency', ({ context }) => context.order.currency],
  ['order.date_created', dateCreated],
  ['order.payment_method', ({ context }) => context.order.payment_method_title || context.order.payment_method],
  ['order.transaction_id', ({ context }) => context.order.transaction_id],
  ['order.item_count', ({ context }) => String(piecesIn(context.order.line_items))],
  ['customer.id', ({ context }) => String(context.order.customer_id)],
  ['customer.name', customerName],
  ['customer.first_name', ({ context }) => context.order.billing.first_name],
  ['customer.last_name', ({ context }) => context.order.billing.last_name],
  ['customer.email', ({ context }) => context.order.billing.email],
  ['event.type', ({ occurrence }) => occurrence?.type ?? occurrence?.event_type ?? ''],
  ['event.gateway', ({ occurrence }) => occurrence?.gateway ?? ''],
  ['event.transaction_id', ({ occurrence }) => occurrence?.transaction_id ?? ''],
  ['rule.id', ({ rule }) => String(rule.id)],
  ['rule.name', ({ rule }) => rule.name],
]);

export const placeholderNames: readonly string[] = [...values.keys()];

/** For descriptions: `{{order.id}} {{order.number}} …`. */
export const placeholderList: string = placeholderNames.map((name) => `{{${name}}}`).join(' ');

const placeholder = /\{\{([^{}]*)\}\}/g;

/** Unknown names and braces that are left open. */
export function placeholderViolations(path: string, text: string): Violation[] {
  const violations: Violation[] = [];
  for (const [whole, name = ''] of text.matchAll(placeholder)) {
    if (!values.has(name.trim())) violations.push({ path, message: `unknown placeholder ${whole.slice(0, 100)}` });
  }
  const rest = text.replace(placeholder, '');
  if (rest.includes('{{') || rest.includes('}}')) {
    violations.push({ path, message: 'a placeholder is not closed: write it as {{order.total}}' });
  }
  return violations;
}

/** The effect with what its texts tell of the customer, longest first. Addresses are left out: the log masks them by itself. */
export function withPersonal<Planned>(settings: unknown, plan: (situation: Situation) => Planned) {
  const named = [...JSON.stringify(settings).matchAll(placeholder)].map(([, name = '']) => name.trim());
  const personal = [...values].filter(([name]) => /^customer\.(?!email)/.test(name) && named.includes(name));
  if (personal.length === 0) return plan;
  return (situation: Situation): Planned & { personal: string[] } => {
    const known = personal.map(([, value]) => value(situation)).filter(({ length }) => length > 1);
    return { ...plan(situation), personal: known.sort((a, b) => b.length - a.length) };
  };
}

/** Longest text that rendering makes, in characters; what goes beyond is cut and ends in an ellipsis. */
const longest = 10_000;

/** Parses the text once. Values are put in as `encode` makes them and never looked at for placeholders again. */
export function template(text: string, encode = (value: string) => value): (situation: Situation) => string {
  const parts: ((situation: Situation) => string)[] = [];
  let end = 0;
  for (const match of text.matchAll(placeholder)) {
    const fixed = text.slice(end, match.index);
    const value = values.get((match[1] ?? '').trim());
    parts.push(() => fixed, value ? (situation) => encode(value(situation)) : () => match[0]);
    end = match.index + match[0].length;
  }
  const tail = text.slice(end);
  return (situation) => {
    let rendered = '';
    for (const part of parts) rendered += part(situation);
    rendered += tail;
    return rendered.length > longest ? `${rendered.slice(0, longest - 1)}…` : rendered;
  };
}
