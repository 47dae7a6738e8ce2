import { conditionTable, refusesSettings } from '../../test/condition-table';
import { context, facts } from '../../test/fixtures';
import { country } from './country';

const from = (billing: string, shipping = '') =>
  facts({ context: context({ billing: { country: billing }, shipping: { country: shipping } }) });

conditionTable(country, [
  ['the billing address without saying so', { countries: ['DE', 'AT'] }, from('DE', 'FR'), true],
  ['the shipping address', { address: 'shipping', countries: ['FR'] }, from('DE', 'FR'), true],
  ['in lower case', { countries: ['de'] }, from('DE'), true],
  ['another country', { countries: ['AT'] }, from('DE'), false],
  ['no shipping address', { address: 'shipping', countries: ['DE'] }, from('DE'), false],
]);
refusesSettings(country, [{}, { countries: [] }, { countries: ['Germany'] }, { address: 'home', countries: ['DE'] }]);
