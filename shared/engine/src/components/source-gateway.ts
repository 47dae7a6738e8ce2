import { oneOf } from '../one-of';
import { senderAmong } from '../sender';
import { choice, flag, settingsOf, textList } from '../settings-schema';

const operators = ['is', 'is_not'] as const;
type SourceGatewaySettings = { gateways: string[]; operator?: (typeof operators)[number]; include_null?: boolean };

export const sourceGateway = oneOf<SourceGatewaySettings>({
  id: 'source_gateway',
  label: 'Source gateway',
  description: 'Passes when the event came, or did not come, from one of the gateways or connections.',
  edition: 'extended',
  schema: settingsOf({
    gateways: textList('Gateways', 'Choose gateways, or senders of your own (generic/ and their name).', {
      examples: [['gateway_card', 'gateway_wallet', 'generic/mollie']],
    }),
    operator: choice('Operator', 'Whether the event must come from one of them, or from none.', operators),
    include_null: flag(
      'Without gateway',
      'Also pass when no gateway is involved, for example when somebody changes the order.',
    ),
  }),
  thing: 'source gateway',
  values: ({ gateways }) => gateways,
  isNot: ({ operator }) => operator === 'is_not',
  passesNull: ({ include_null = false }) => include_null,
  read: ({ occurrence }, { gateways }) => occurrence && senderAmong(occurrence, gateways),
  field: (_settings, { occurrence }) => (occurrence === null ? null : 'occurrence.gateway'),
});
