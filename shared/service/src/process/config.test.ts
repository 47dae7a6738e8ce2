import { inspect } from 'node:util';
import { z } from 'zod';
import { commonConfiguration, distributedConfiguration } from './common-config';
import { ConfigError, defineConfig, parseConfig } from './config';
import {
  base64Keys,
  byteSize,
  duration,
  flag,
  hostList,
  portNumber,
  urlOf,
  wholeNumber,
  words,
} from './config-schemas';

const definition = defineConfig({
  port: { env: 'PORT', schema: portNumber.default(8080), description: 'Public port', example: '8080' },
  demo: { env: 'DEMO_SHOP', schema: flag.default(false), description: 'Demonstration', example: 'true' },
  key: { env: 'SECRET_KEY', schema: base64Keys.optional(), description: 'Key', example: '…', secret: true },
  name: {
    env: 'ADMIN_USER',
    schema: z.string().min(3, 'is too short').default('admin'),
    description: 'Name',
    example: 'ada',
  },
});
const key = Buffer.alloc(32, 7).toString('base64');

function problems(env: Record<string, string>) {
  try {
    parseConfig(definition, env);
  } catch (error) {
    return (error as ConfigError).problems;
  }
  return [];
}

test('defaults stand for what is absent or empty', () => {
  expect(parseConfig(definition, { PORT: ' ', OTHER: 'x' })).toEqual({
    port: 8080,
    demo: false,
    name: 'admin',
    key: undefined,
  });
});

test('values are parsed, secrets wrapped', () => {
  const config = parseConfig(definition, {
    PORT: '0',
    DEMO_SHOP: 'yes',
    SECRET_KEY: `${key} ${key}`,
    ADMIN_USER: 'grace',
  });
  expect(config.port).toBe(0);
  expect(config.demo).toBe(true);
  expect(config.key?.reveal()).toEqual([Buffer.alloc(32, 7), Buffer.alloc(32, 7)]);
  expect(`${config.key} ${JSON.stringify(config)} ${inspect(config)}`).not.toContain(key.slice(0, 8));
});

test('every problem is named with its variable, the value and an example', () => {
  expect(problems({ PORT: '80x', DEMO_SHOP: 'perhaps', ADMIN_USER: 'x' })).toEqual([
    { variable: 'PORT', problem: 'must be a whole number from 0 to 65535 (the value is "80x")', example: '8080' },
    { variable: 'DEMO_SHOP', problem: 'must be true or false (the value is "perhaps")', example: 'true' },
    { variable: 'ADMIN_USER', problem: 'is too short (the value is "x")', example: 'ada' },
  ]);
  expect(() => parseConfig(definition, { PORT: '-1' })).toThrow(/PORT: must be .*Example: PORT=8080/);
});

test('a wrong secret is refused without a piece of its value', () => {
  const [problem] = problems({ SECRET_KEY: 'canary-4711 canary-4712' });
  expect(problem).toMatchObject({
    variable: 'SECRET_KEY',
    problem: 'each key must be 32 bytes in base64 (44 characters)',
  });
  const quoting = defineConfig({
    token: {
      env: 'TOKEN',
      schema: z
        .string()
        .superRefine((value, context) => context.addIssue({ code: 'custom', message: `${value} is wrong` })),
      description: '',
      example: '',
      secret: true,
    },
  });
  expect(() => parseConfig(quoting, { TOKEN: 'canary-4711' })).toThrow(ConfigError);
  expect(() => parseConfig(quoting, { TOKEN: 'canary-4711' })).not.toThrow(/canary/);
});

test('a variable without default that is not set is said to be missing', () => {
  expect(() => parseConfig(distributedConfiguration, { MONGODB_URI: 'http://x' })).toThrow(
    /NATS_URL: is not set and has no default[\s\S]*MONGODB_URI: must be a URL that starts with mongodb:\/\/ or mongodb\+srv:\/\/\. Example/,
  );
});

test('the common configuration needs nothing', () => {
  expect(parseConfig(commonConfiguration, {})).toEqual({ opsHost: '127.0.0.1', opsPort: 9464, logLevel: 'info' });
});

test.each(['1.5', '1e3', '', 'x', '99999', '0x10', ' '])('wholeNumber refuses %p', (text) => {
  expect(wholeNumber(1, 9999).safeParse(text).success).toBe(false);
});

test('words and URLs', () => {
  expect(words.parse('a  b\nc')).toEqual(['a', 'b', 'c']);
  expect(urlOf('nats').safeParse('nats://h:4222').success).toBe(true);
  for (const text of ['nats:/h', 'http://h', 'nats://', 'h', 'nats://a b'])
    expect(urlOf('nats').safeParse(text).success).toBe(false);
});

test('durations are in milliseconds and sizes in bytes, each with its unit', () => {
  expect(['500ms', '30s', '15m', '24h', '7d'].map((text) => duration.parse(text))).toEqual([
    500, 30_000, 900_000, 86_400_000, 604_800_000,
  ]);
  expect(['10B', '1KiB', '32MiB', '2GiB'].map((text) => byteSize.parse(text))).toEqual([
    10, 1_024, 33_554_432, 2_147_483_648,
  ]);
  for (const text of ['', '5', '0s', '-1h', '1.5h', '1 h', '1w', 'h', '1e3s', '9999999s'])
    expect([text, duration.safeParse(text).error?.issues[0]?.message]).toEqual([
      text,
      'must be a duration such as 30s, 15m, 24h or 7d',
    ]);
  for (const text of ['5', '32MB', '32 MiB']) expect([text, byteSize.safeParse(text).success]).toEqual([text, false]);
});

test('a list of hosts tells names from addresses', () => {
  expect(hostList.parse('ERP.internal, 10.1.0.0/16\n127.0.0.1 fd00::/8 localhost')).toEqual({
    hosts: ['erp.internal', 'localhost'],
    subnets: ['10.1.0.0/16', '127.0.0.1', 'fd00::/8'],
  });
  for (const text of ['http://erp', 'erp:80', '10.1.0.0/33', '10.1.0', 'a..b', '*'])
    expect([text, hostList.safeParse(text).success]).toEqual([text, false]);
});
