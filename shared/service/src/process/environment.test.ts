import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { misspeltVariables, readFileVariables } from './environment';

const known = new Map([
  ['HOST', '0.0.0.0'],
  ['PORT', '8080'],
  ['LOG_LEVEL', 'debug'],
  ['SECRET_KEY', 'a-key'],
  ['GATEWAY_CARD_SECRETS', 'whsec_…'],
  ['GENERIC_REQUIRE_CONNECTION', 'true'],
]);

describe('readFileVariables', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'variables-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('the value of X_FILE is the content of that file', () => {
    const file = join(folder, 'key');
    writeFileSync(file, 'from a file\n');
    const env = { SECRET_KEY_FILE: file, PORT: '0', OTHER_FILE: '/nowhere' };
    expect(readFileVariables(env, known)).toEqual({ ...env, SECRET_KEY: 'from a file\n' });
  });

  test('a file that cannot be read stops the start, and so does a variable that is set both ways', () => {
    const env = { SECRET_KEY_FILE: join(folder, 'none'), LOG_LEVEL: 'canary', LOG_LEVEL_FILE: join(folder, 'none') };
    const read = () => readFileVariables(env, known);
    expect(read).toThrow(/SECRET_KEY_FILE: names a file that cannot be read \(ENOENT\).*\/run\/secrets\/secret_key/);
    expect(read).toThrow('LOG_LEVEL_FILE: is set, and so is LOG_LEVEL; set one of the two.');
    expect(read).not.toThrow('canary');
  });
});

describe('misspeltVariables', () => {
  const likely = (name: string, families = true) => misspeltVariables({ [name]: 'x' }, known, families)[0]?.likely;

  test.each([
    ['GENERIC_REQUIRE_CONECTION', 'GENERIC_REQUIRE_CONNECTION'],
    ['GATEWAY_CARD_SECRET', 'GATEWAY_CARD_SECRETS'],
    ['GATEWAY_SECRETS', 'GATEWAY_CARD_SECRETS'],
    ['GENERIC_CONNECTION', 'GENERIC_REQUIRE_CONNECTION'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['SECRET_KEYS', 'SECRET_KEY'],
    ['SECRET_KEY_FIL', 'SECRET_KEY_FILE'],
  ])('%s is probably %s', (name, meant) => expect(likely(name)).toBe(meant));

  test.each([
    'HOSTNAME HOSTTYPE LOGNAME PATH HOME PWD SHLVL LANG TERM USER NODE_ENV NODE_OPTIONS npm_config_port',
    'GATEWAY_INTAKE_SERVICE_HOST GATEWAY_INTAKE_PORT_8080_TCP_ADDR GATEWAY_INTAKE_SERVICE_PORT_HTTP',
    'HOST PORT SECRET_KEY_FILE GATEWAY_CARD_SECRETS',
  ])('%s are no misspellings', (names) =>
    expect(names.split(' ').map((name) => likely(name))).toEqual(names.split(' ').map(() => undefined)),
  );

  test('a process that does not know every name of ours goes by the spelling alone', () => {
    expect(likely('GATEWAY_WALLET_WEBHOOK_ID', false)).toBeUndefined();
    expect(likely('GATEWAY_CARD_SECRET', false)).toBe('GATEWAY_CARD_SECRETS');
  });
});
