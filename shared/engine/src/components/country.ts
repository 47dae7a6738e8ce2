import { oneOf } from '../one-of';
import { choice, settingsOf, textList } from '../settings-schema';

const addresses = ['billing', 'shipping'] as const;
type CountrySettings = { address?: (typeof addresses)[number]; countries: string[] };

/** `UK`, which ISO 3166-1 reserves for the same, is written for `GB`, and `EL`, as the European Union has it, for `GR`. */
const code = (country: string) => country.toUpperCase().replace(/^UK$/, 'GB').replace(/^EL$/, 'GR');
const codes = (countries: readonly string[]) => [...new Set(countries.map(code))];

const regions = new Intl.DisplayNames('en', { type: 'region' });

/** ISO 3166-1 codes of two letters, in either case. */
export const country = oneOf<CountrySettings>({
  id: 'country',
  label: 'Country',
  description: 'Passes when the order is billed or shipped to one of the countries.',
  edition: 'default',
  schema: settingsOf({
    address: choice('Address', 'The address to check.', addresses),
    countries: textList('Countries', 'Two-letter country codes (ISO 3166-1), for example DE.', {
      items: {
        type: 'string',
        pattern: '^[A-Za-z]{2}$',
        'x-pattern-message': 'must be the code of a country in two letters (ISO 3166-1), for example DE',
      },
      examples: [['DE', 'AT']],
    }),
  }),
  normalise: ({ countries, ...settings }) => ({ ...settings, countries: codes(countries) }),
  thing: ({ address = 'billing' }) => `${address} country`,
  values: ({ countries }) => codes(countries),
  word: (value) => (/^[A-Z]{2}$/.test(value) ? (regions.of(value) ?? value) : value),
  read: ({ context }, { address = 'billing' }) => code(context.order[address].country) || null,
  field: ({ address = 'billing' }) => `order.${address}.country`,
});
