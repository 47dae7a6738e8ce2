import { webhookAddress } from './address';

describe('webhookAddress', () => {
  test.each([
    ['/v1/webhooks/gateway_card', { gateway: 'gateway_card', connection: null }],
    ['/v1/webhooks/gateway_card/', { gateway: 'gateway_card', connection: null }],
    ['/v1/webhooks/gateway_card?x=/a/b', { gateway: 'gateway_card', connection: null }],
    ['/v1/webhooks/generic', { gateway: 'generic', connection: null }],
    ['/v1/webhooks/generic/', { gateway: 'generic', connection: null }],
    ['/v1/webhooks/generic/erp', { gateway: 'generic', connection: 'erp' }],
    ['/v1/webhooks/generic/caf%C3%A9?a=b', { gateway: 'generic', connection: 'café' }],
    ['/v1/webhooks/generic/a%2Fb', { gateway: 'generic', connection: 'a/b' }],
    ['/v1/webhooks/%zz', { gateway: '%zz', connection: null }],
    ['/v1/webhooks/no_such_gateway', { gateway: 'no_such_gateway', connection: null }],
    ['/v1/webhooks/', undefined],
    ['/v1/webhooks/?x', undefined],
    ['/v1/webhooks', undefined],
    ['/v1/webhooks/test/gateway_card', undefined],
    ['/v1/webhooks/generic/a/b', undefined],
    ['/v1/webhooks//generic', undefined],
    ['/v1/rules/1', undefined],
    ['', undefined],
  ])('%s', (url, address) => {
    expect(webhookAddress(url, '/v1/webhooks/')).toEqual(address);
  });

  test('a name is cut to 100 characters', () => {
    expect(webhookAddress(`/v1/webhooks/${'x'.repeat(5000)}`, '/v1/webhooks/')?.gateway).toHaveLength(100);
  });
});
