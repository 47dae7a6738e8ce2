import { natsUsers } from '@order-automation/bus/nats-users';
import { serviceNames } from '@order-automation/contracts';
import { composeWith, deployFile, settingsWith } from '../test/deployment';
import { allVariables, environmentOf } from './config';

const key = Buffer.alloc(32, 7).toString('base64');
const settings = settingsWith((name) => (name === 'SECRET_KEY' ? key : `of-${name.toLowerCase()}`));
const { services } = composeWith(settings);
const streamPrefix = services.audit?.environment.NAMESPACE ?? '';

describe('docker-compose.yml', () => {
  test.each(serviceNames)('%s gets the variables that it reads, and none that only others read', (service) => {
    const { environment = {}, command } = services[service] ?? {};
    const everything = Object.fromEntries([...allVariables.keys()].map((name) => [name, 'x']));
    // The image sets these.
    const ofImage = ['HOST', 'PORT', 'OPS_HOST', 'OPS_PORT', 'DATA_DIR'];
    const wanted = Object.keys(environmentOf(service, everything)).filter((name) => !ofImage.includes(name));
    const given = Object.keys(environment).filter((name) => !ofImage.includes(name) && name !== 'NODE_OPTIONS');
    expect(given.sort()).toEqual(wanted.filter((name) => name !== 'NATS_MONITOR').sort());
    expect(command).toEqual(['node', `services/${service}/dist/main.js`]);
  });

  test('a password stands in the environment of its service and of the server that checks it, and nowhere else', () => {
    for (const [name, value] of Object.entries(settings).filter(([, text]) => text.startsWith('of-'))) {
      const holders = Object.keys(services).filter((one) =>
        Object.values(services[one]?.environment ?? {}).some((text) => text.includes(value)),
      );
      const [, server, service] = /^(NATS|MONGO)_PASSWORD_(?!ROOT)(.*)$/.exec(name) ?? [];
      const expected = server ? [server.toLowerCase(), service?.toLowerCase().replaceAll('_', '-')] : [holders[0]];
      expect([name, holders]).toEqual([name, expected]);
    }
  });

  test('nothing but the HTTP edge has a port outside, and nothing starts without its secrets', () => {
    expect(Object.keys(services).filter((name) => services[name]?.ports)).toEqual(['api-gateway']);
    for (const name of Object.keys(settings).filter((one) => /PASSWORD|SECRET_KEY|REPLICA_KEY/.test(one)))
      expect(() => composeWith({ ...settings, [name]: '' })).toThrow(name);
  });
});

test('deploy/nats-users.conf is that of the contracts: `npm run generate` writes it', () => {
  expect(deployFile('nats-users.conf')).toBe(natsUsers(streamPrefix));
});
