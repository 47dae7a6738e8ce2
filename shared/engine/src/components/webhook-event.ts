import { genericTypes } from '@order-automation/contracts';
import { trigger } from '../component';
import { eventTypeForms } from '../event-types';
import { senderAmong } from '../sender';
import { settingsOf, textList } from '../settings-schema';

type WebhookEventSettings = { event_types?: string[]; gateways?: string[] };

function text({ event_types = [], gateways = [] }: WebhookEventSettings): string {
  const events = event_types.length === 0 ? 'any event' : `an event ${eventTypeForms(event_types).join(' or ')}`;
  return `fires on ${events} of ${gateways.length === 0 ? 'any gateway' : gateways.join(' or ')} about an order`;
}

/** A name that the card gateway or the wallet has too is another sender's own where that gateway is not among those of the rule: `refund.created`. */
function nameOf(form: string, gateways: readonly string[]): string {
  const [, family, name] = /^payment\.(card|wallet)\.(.+)$/.exec(form) ?? [];
  const isOther = family !== undefined && gateways.length > 0 && !gateways.includes(`gateway_${family}`);
  return isOther ? (name ?? form) : form;
}

/** The one trigger that hears events without a counterpart in the generic vocabulary (decisions.md section 4). */
export const webhookEvent = trigger<WebhookEventSettings>({
  id: 'webhook_event',
  label: 'Webhook event',
  description: 'Fires on events of payment gateways and other services, under their own names.',
  edition: 'extended',
  priority: 150,
  schema: settingsOf({
    event_types: textList(
      'Event types',
      'What happened, whichever gateway reports it (payment_failed), or an event as its gateway names it (charge.failed); none chosen means any.',
      { atLeast: 0, examples: genericTypes.map((type) => [type]) },
    ),
    gateways: textList(
      'Gateways',
      'Choose gateways, or senders of your own (generic/ and their name); none chosen means any.',
      { atLeast: 0, examples: [['gateway_card', 'gateway_wallet', 'generic/mollie']] },
    ),
  }),
  normalise: ({ event_types, gateways }) => ({
    ...(event_types ? { event_types: eventTypeForms(event_types) } : {}),
    ...(gateways ? { gateways } : {}),
  }),
  listensTo: ({ event_types = [], gateways = [] }) => {
    const from = gateways[0] === undefined ? {} : { gateway: gateways[0] };
    if (event_types.length === 0) return [{ type: 'gateway_event', ...from }];
    return eventTypeForms(event_types).map((form) => ({
      type: 'gateway_event',
      event: nameOf(form, gateways),
      ...from,
    }));
  },
  fires: text,
  compile: (settings) => {
    const { gateways = [] } = settings;
    const reason = `the trigger ${text(settings)}`;
    return (occurrence) => {
      const sender = senderAmong(occurrence, gateways);
      return { fires: gateways.length === 0 || (sender !== null && gateways.includes(sender)), reason };
    };
  },
});
