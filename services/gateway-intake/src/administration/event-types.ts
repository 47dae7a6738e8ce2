import { type RequestInput, type RequestOutput, walletEventNames } from '@order-automation/contracts';
import type { Parts } from './parts';

/** The spellings of a name are one: `invoice.paid`, `INVOICE.PAID`, `payment.card.invoice_paid`. */
const plainName = (name: string): string =>
  name
    .replace(/^payment\.[a-z_]+\./, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_');

/** Families of the adapters that are built in: what their events are stored under. */
const families = ['card', 'wallet', 'shop'] as const;

/** Names that no adapter has and no stored webhook has brought: a rule on one may be misspelt. */
export async function checkEventTypes(
  { router, collections }: Parts,
  { event_types }: RequestInput<'intake.event-type.check.v1'>,
): Promise<RequestOutput<'intake.event-type.check.v1'>> {
  const known = new Set(router.adapters().flatMap((adapter) => adapter.getSupportedEventTypes().map(plainName)));
  const unknown: string[] = [];
  for (const name of event_types) {
    const plain = plainName(name);
    if (known.has(plain) || walletEventNames.has(name.toUpperCase())) continue;
    const spellings = [...new Set([name, plain, ...families.map((family) => `payment.${family}.${plain}`)])];
    const [seen] = await collections.inbox.newest({ event_type: { $in: spellings } }, 0, 1);
    if (!seen) unknown.push(name);
  }
  return { unknown };
}
