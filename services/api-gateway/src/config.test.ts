import { parseConfig } from '@order-automation/service';
import { apiGatewayConfiguration } from './config';

const key = Buffer.alloc(32, 7).toString('base64');

test('defaults', () => {
  const config = parseConfig(apiGatewayConfiguration, { SECRET_KEY: key });
  expect(config).toMatchObject({ host: '127.0.0.1', port: 8080, basePath: '', adminUser: 'admin', trustedProxies: 0 });
  expect(config.adminPassword).toBeUndefined();
  expect(config.licenceKey).toBeUndefined();
});

test('the application password is the same with and without spaces', () => {
  const env = { SECRET_KEY: key, ADMIN_APPLICATION_PASSWORD: 'aB3d EfG7 hIjK 9mNo pQr5 tUvW' };
  expect(parseConfig(apiGatewayConfiguration, env).adminApplicationPassword?.reveal()).toBe('aB3dEfG7hIjK9mNopQr5tUvW');
});

test.each([
  ['SECRET_KEY', undefined],
  ['SECRET_KEY', Buffer.alloc(31).toString('base64')],
  ['SECRET_KEY', 'a password'],
  ['BASE_PATH', 'no-slash'],
  ['BASE_PATH', '/:x'],
  ['BASE_PATH', '/shop/../x'],
  ['ADMIN_USER', 'a:b'],
  ['ADMIN_PASSWORD', 'short'],
  ['ADMIN_APPLICATION_PASSWORD', 'aB3d EfG7 hI'],
  ['LICENCE_PUBLIC_KEYS', 'no-key-set'],
  ['TRUST_PROXY', 'true'],
  ['PORT', '70000'],
])('%s=%s stops the start, and no secret is shown', (name, value) => {
  const start = () => parseConfig(apiGatewayConfiguration, { SECRET_KEY: key, [name]: value });
  expect(start).toThrow(`${name}: `);
  if (value === 'no-such-licence' || value === 'a password') expect(start).not.toThrow(value);
});
