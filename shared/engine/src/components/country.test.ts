import { conditionTable, refusesSettings } from '../../test/condition-table';
import { context, facts } from '../../test/fixtures';
import { country } from './country';

const from = (billing: string, shipping = '') =>
  facts({ context: context({ billing: { country: billing }, shipping: { country: shipping } }) });

conditionTable(country, [
  ['the billing address without saying so', { countries: ['DE', 'AT'] }, from('DE', 'FR'), true],
  ['the shipping address', { address: 'shipping', countries: ['FR'] }, from('DE', 'FR'), true],
  ['in lower case', { countries: ['de'] }, from('DE'), true],
  // "UK: exceptionally reserved … EL", en.wikipedia.org/wiki/ISO_3166-1_alpha-2; "Greece is EL", EU interinstitutional style guide, publications.europa.eu/code/en/en-370100.htm
  ['the United Kingdom as it is said', { countries: ['uk'] }, from('GB'), true],
  ['an order with the code that is said', { countries: ['GR', 'GB'] }, from('UK'), true],
  ['Greece as the European Union says it', { countries: ['EL'] }, from('GR'), true],
  ['another country', { countries: ['AT'] }, from('DE'), false],
  ['no shipping address', { address: 'shipping', countries: ['DE'] }, from('DE'), false],
]);
refusesSettings(country, [{}, { countries: [] }, { countries: ['Germany'] }, { address: 'home', countries: ['DE'] }]);

test('what it says names countries as people do', () => {
  const judged = country.compile({ countries: ['DE', 'SA'] })(from('JP'));
  expect(judged).toMatchObject({ expected: 'Germany or Saudi Arabia', actual: 'Japan' });
});
