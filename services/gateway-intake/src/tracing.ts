import { inSpans, type Span, type Tracing } from '@order-automation/service';
import type { InboxEvent } from './inbox/documents';
import type { Inbox } from './inbox/inbox';
import type { Arrival, inspectWithinLimits } from './receiving/admission';

type Inspect = typeof inspectWithinLimits;

/** A span for the judgement of each webhook: who sent it, and what it says. */
export function tracedInspection(inspect: Inspect, tracing: Tracing): Inspect {
  return async (admitting, webhook, options) => {
    const span = tracing.span('verify webhook', webhook.traceparent);
    const arrival = await inspect(admitting, webhook, options);
    if (span) endInspection(span, arrival);
    return arrival;
  };
}

function endInspection(span: Span, { webhook, inspection }: Arrival): void {
  if (inspection.kind === 'refused') {
    span.end({ 'order_automation.refusal': inspection.refusal.code });
    return;
  }
  const { events, verifying, unauthenticated } = inspection;
  span.end({
    'order_automation.gateway': webhook.gateway,
    'order_automation.events': events.length,
    'order_automation.authenticated': !verifying && !unauthenticated,
  });
}

/** A span for each event that is stored, from its place in the batch to the flush that holds it. */
export function tracedInbox(inbox: Inbox, tracing: Tracing): Inbox {
  const start = ({ _id, webhook }: InboxEvent): Span | undefined =>
    tracing.span('store event', webhook.traceparent, { attributes: { 'order_automation.event_id': _id } });
  return {
    ...inbox,
    claim: async (candidates, now) => {
      const spans = candidates.map(start);
      return inSpans(spans, async () => {
        const taken = await inbox.claim(candidates, now);
        for (const [index, { _id, key }] of candidates.entries()) {
          const isDuplicate = taken.has(key) && taken.get(key)?._id !== _id;
          spans[index]?.end({ 'order_automation.duplicate': isDuplicate });
        }
        return taken;
      });
    },
  };
}
