import type { Order, OrderSummary } from '@order-automation/contracts';

/** `$49.00`, exact at any size; the plain amount beside the code where the code is no currency. */
export function formatTotal(total: string, currency: string): string {
  try {
    const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
    return format.format(total as `${number}`);
  } catch {
    return `${total} ${currency}`;
  }
}

const shortDate = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

function customerOf({ billing }: Order): string {
  const name = [billing.first_name, billing.last_name].filter((part) => part !== '').join(' ');
  return name || billing.company || billing.email || 'Guest';
}

/** Section 2.7 of the specification. Dates are UTC. */
export function orderSummary(order: Order): OrderSummary {
  const { id, status, total, currency, date_created } = order;
  return {
    id,
    status,
    total,
    total_formatted: formatTotal(total, currency),
    currency,
    customer: customerOf(order),
    date: shortDate.format(new Date(date_created)),
    date_full: new Date(date_created).toISOString().slice(0, 19).replace('T', ' '),
  };
}
