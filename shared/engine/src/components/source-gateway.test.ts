import { conditionTable, refusesSettings } from '../../test/condition-table';
import { facts, occurrence } from '../../test/fixtures';
import { sourceGateway } from './source-gateway';

const by = (gateway: string | null) => facts({ occurrence: occurrence({ gateway }) });
const byConnection = (connection: string) => facts({ occurrence: occurrence({ gateway: 'generic', connection }) });

conditionTable(sourceGateway, [
  ['is', { gateways: ['gateway_card'] }, by('gateway_card'), true],
  ['is another', { gateways: ['gateway_wallet'] }, by('gateway_card'), false],
  ['is not', { gateways: ['gateway_wallet'], operator: 'is_not' }, by('gateway_card'), true],
  ['is not, but is', { gateways: ['gateway_card'], operator: 'is_not' }, by('gateway_card'), false],
  ['no gateway', { gateways: ['gateway_card'] }, by(null), false],
  ['no gateway, which is included', { gateways: ['gateway_card'], include_null: true }, by(null), true],
  ['is not, without a gateway', { gateways: ['gateway_card'], operator: 'is_not' }, by(null), false],
  ['is a connection', { gateways: ['generic/mollie'] }, byConnection('mollie'), true],
  ['is another connection', { gateways: ['generic/mollie'] }, byConnection('square'), false],
  ['is a connection of the gateway', { gateways: ['generic'] }, byConnection('square'), true],
  ['is not the connection', { gateways: ['generic/mollie'], operator: 'is_not' }, byConnection('square'), true],
  [
    'is not, but is the connection',
    { gateways: ['generic/mollie'], operator: 'is_not' },
    byConnection('mollie'),
    false,
  ],
  ['is not of the gateway', { gateways: ['generic'], operator: 'is_not' }, byConnection('mollie'), false],
  ['is no connection', { gateways: ['generic/mollie'] }, by('generic'), false],
  ['no event', { gateways: ['gateway_card'] }, facts({ occurrence: null }), 'hopeless'],
]);
test('says whether an event without a gateway passes (decisions.md section 3)', () => {
  const reason = (settings: { operator?: 'is' | 'is_not'; include_null?: boolean }) =>
    sourceGateway.compile({ gateways: ['gateway_card'], ...settings })(by(null)).reason;
  expect(reason({ operator: 'is_not' })).toBe(
    'source gateway is none, the rule needs a source gateway other than gateway_card',
  );
  expect(reason({ operator: 'is_not', include_null: true })).toBe(
    'source gateway is none, the rule wants anything but gateway_card',
  );
  expect(reason({ include_null: true })).toBe('source gateway is none, the rule wants gateway_card or none');
});

refusesSettings(sourceGateway, [{}, { gateways: [] }, { gateways: ['x'], operator: 'eq' }]);
