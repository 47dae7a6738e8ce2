import { forwardedHeaders } from './headers';

describe('forwardedHeaders', () => {
  test('keeps every value of a repeated header, names in lower case', () => {
    const raw = ['Card-Signature', 't=1,v1=a', 'card-signature', 't=2,v1=b', 'X-Other', 'c'];
    expect({ ...forwardedHeaders(raw, 'gateway_card') }).toEqual({
      'card-signature': ['t=1,v1=a', 't=2,v1=b'],
      'x-other': ['c'],
    });
  });

  test('leaves credentials behind, but for the generic gateway and custom adapters', () => {
    const raw = ['Authorization', 'Bearer s', 'Cookie', 'a=b', 'Host', 'example.com'];
    for (const gateway of ['gateway_card', 'gateway_wallet', 'gateway_shop'])
      expect({ ...forwardedHeaders(raw, gateway) }).toEqual({});
    for (const gateway of ['generic', 'gateway_bank'])
      expect({ ...forwardedHeaders(raw, gateway) }).toEqual({ authorization: ['Bearer s'] });
  });

  test('names of object members are names like others, but for the one that no message keeps', () => {
    const headers = forwardedHeaders(['constructor', 'a', '__proto__', 'b', 'toString', 'c'], 'generic');
    expect(Object.entries(headers)).toEqual([
      ['constructor', ['a']],
      ['tostring', ['c']],
    ]);
  });
});
