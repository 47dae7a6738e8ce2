import { serviceNames } from '@order-automation/contracts';
import { environmentOf } from './config';

test('a service gets no variable that only others read, and everything that is none of ours', () => {
  const env = {
    PATH: '/bin',
    NATS_URL: 'nats://127.0.0.1',
    ADMIN_PASSWORD_FILE: '/run/secrets/password',
    GATEWAY_CARD_SECRETS: 'canary',
    DEMO_SHOP: 'true',
  };
  const names = (service: string) => Object.keys(environmentOf(service, env));
  expect(names('audit')).toEqual(['PATH', 'NATS_URL']);
  expect(names('shop')).toEqual(['PATH', 'NATS_URL', 'DEMO_SHOP']);
  expect(names('api-gateway')).toEqual(['PATH', 'NATS_URL', 'ADMIN_PASSWORD_FILE']);
  for (const service of serviceNames) expect(names(service)).toContain('NATS_URL');
});
