import type { AuditEntry } from '@order-automation/contracts';
import type { Context, GatewayAdapter } from '../../gateways/adapter';
import type { InboxEvent } from '../../inbox/documents';
import type { Received } from '../../receiving/receive';
import type { Parts } from '../parts';

type Tested = {
  readonly adapter: GatewayAdapter;
  readonly outcome: Received['outcome'];
  readonly finished: InboxEvent | undefined;
  readonly entries: readonly AuditEntry[];
  readonly context: Context;
  /** Why its event may not act on the order. */
  readonly doubt: string | null;
};

/** What an administrator should look at after a test, in sentences. */
export async function recommendations(parts: Parts, tested: Tested): Promise<string[]> {
  const { adapter, outcome, finished, context, doubt } = tested;
  const state = adapter.status?.(parts.clock.now()) ?? { active: true };
  const found: string[] = [];
  if (state.active && state.warning !== undefined && context.connection === null) found.push(state.warning);
  if (context.connection?.auth_method === 'none')
    found.push('This connection has the method "none": anybody who knows its address can move orders through it.');
  if (outcome.kind === 'refused') found.push(`The webhook was refused: ${outcome.refusal.text}`);
  if (outcome.kind === 'not_stored') found.push('The webhook could not be stored: check the health of the database.');
  if (outcome.kind === 'accepted' && outcome.pending === 'held')
    found.push('The endpoint is paused: its events are stored, and evaluated when it is resumed.');
  else if (outcome.kind === 'accepted' && !finished)
    found.push(
      'Evaluation has not finished in time: check the health of the services, and the log of this process later.',
    );
  if (doubt !== null) found.push(doubt);
  if (finished) found.push(...(await aboutOutcome(parts, finished, tested)));
  return found;
}

async function aboutOutcome(
  { bus }: Parts,
  { outcome, event }: InboxEvent,
  { entries, doubt }: Tested,
): Promise<string[]> {
  const generic = event.genericType ? `"${event.genericType.replaceAll('_', ' ')}"` : event.eventType;
  switch (outcome) {
    case 'no_rules': {
      // Rules may listen to it all the same.
      if (doubt !== null || entries.some(({ event_type }) => event_type === 'late_payment'))
        return [`No rule was evaluated for ${generic} on an order of this status.`];
      const kind = { type: event.genericType, event_type: event.eventType, gateway: event.sourceGateway };
      const { rules, total } = await bus.request('rules.disabled-listeners.v1', kind);
      const names = rules.map(({ name }) => `"${name}"`).join(', ');
      const others = total > rules.length ? ` and ${total - rules.length} more` : '';
      const drafts =
        total === 0 ? '' : `; ${total} disabled ${total === 1 ? 'one does' : 'ones do'}: ${names}${others}`;
      return [`No enabled rule listens to ${generic}${drafts}.`];
    }
    case 'no_match':
      return [`Rules listen to ${generic}, and none matched: the entries of this test say which condition failed.`];
    case 'no_order':
      return ['The event names no order that the shop has: choose one for the test.'];
    case 'dead':
      return ['Evaluation gave the event up: it is among the dead letters.'];
    default:
      return [];
  }
}
