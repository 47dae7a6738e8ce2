import { conditionTable, refusesSettings } from '../../test/condition-table';
import { context, facts } from '../../test/fixtures';
import { paymentMethod } from './payment-method';

const by = (payment_method: string) => facts({ context: context({ payment_method }) });

conditionTable(paymentMethod, [
  ['one of the methods', { methods: ['bacs', 'gateway_card'] }, by('gateway_card'), true],
  ['another method', { methods: ['bacs'] }, by('gateway_card'), false],
  ['not paid by any method yet', { methods: ['bacs'] }, by(''), false],
  ['an id that only begins alike', { methods: ['gateway'] }, by('gateway_card'), false],
]);
refusesSettings(paymentMethod, [{}, { methods: [] }, { methods: [''] }]);
