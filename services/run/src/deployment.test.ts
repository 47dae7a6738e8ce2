import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceNames } from '@order-automation/contracts';
import { examplesOf } from '@order-automation/service';
import { composeWith, deployFile, settingsWith } from '../test/deployment';
import { allVariables, embeddedConfiguration, environmentOf, serviceDefinitions, workerServices } from './config';
import { usersOfInstallation } from './nats-users';

const key = Buffer.alloc(32, 7).toString('base64');
const settings = settingsWith((name) => (name === 'SECRET_KEY' ? key : `of-${name.toLowerCase()}`));
const { services } = composeWith(settings);
/** What runs as a process of its own, in either composition. */
const processes = [...serviceNames, 'worker'];
const streamPrefix = services.audit?.environment.NAMESPACE ?? '';

// docs/decisions/0004: the settings of V8 are what the figures of docs/operations/size.md were measured with.
test('one process has the same settings of Node.js under systemd, in the image and by npm start', () => {
  const { scripts } = JSON.parse(readFileSync(join(__dirname, '../../../package.json'), 'utf8'));
  const [, ...wanted] = String(scripts.start).split(' ').slice(1);
  const unit = /^ExecStart=\S+ (.*)$/m.exec(deployFile('systemd/order-automation.service'))?.[1];
  const image = /^CMD (\[.*\])$/m.exec(deployFile('Dockerfile'))?.[1] ?? '[]';
  expect(unit?.split(' ')).toEqual(wanted);
  expect(JSON.parse(image).slice(1)).toEqual(wanted);
});

describe('docker-compose.yml', () => {
  test.each(processes)('%s gets the variables that it reads, and none that only others read', (service) => {
    const { environment = {}, command } = services[service] ?? {};
    const everything = Object.fromEntries([...allVariables.keys()].map((name) => [name, 'x']));
    // The image sets these.
    const ofImage = ['HOST', 'PORT', 'OPS_HOST', 'OPS_PORT', 'DATA_DIR'];
    const wanted = Object.keys(environmentOf(service, everything)).filter((name) => !ofImage.includes(name));
    const given = Object.keys(environment).filter((name) => !ofImage.includes(name) && name !== 'NODE_OPTIONS');
    expect(given.sort()).toEqual(wanted.filter((name) => name !== 'NATS_MONITOR').sort());
    expect(command).toEqual([
      'node',
      service === 'worker' ? 'services/run/dist/worker.js' : `services/${service}/dist/main.js`,
    ]);
  });

  test('the one container of everything gets every variable that a part of it reads', () => {
    const ofImage = ['HOST', 'PORT', 'OPS_HOST', 'OPS_PORT', 'DATA_DIR'];
    const read = [...examplesOf([embeddedConfiguration, ...Object.values(serviceDefinitions)]).keys()];
    const given = Object.keys(services.embedded?.environment ?? {}).filter((name) => name !== 'NODE_OPTIONS');
    expect(given.sort()).toEqual(read.filter((name) => !ofImage.includes(name)).sort());
  });

  test('a password stands in the environment of its service and of the server that checks it, and nowhere else', () => {
    for (const [name, value] of Object.entries(settings).filter(([, text]) => text.startsWith('of-'))) {
      const holders = Object.keys(services).filter(
        (one) =>
          one !== 'embedded' && Object.values(services[one]?.environment ?? {}).some((text) => text.includes(value)),
      );
      const [, server, service] = /^(NATS|MONGO)_PASSWORD_(?!ROOT)(.*)$/.exec(name) ?? [];
      const expected = server ? [server.toLowerCase(), service?.toLowerCase().replaceAll('_', '-')] : [holders[0]];
      expect([name, holders]).toEqual([name, expected]);
    }
  });

  test('nothing but the HTTP edge has a port outside, and nothing starts without its secrets', () => {
    expect(Object.keys(services).filter((name) => services[name]?.ports)).toEqual([
      'api-gateway',
      'embedded',
      'prometheus',
      'grafana',
    ]);
    const optional = ['ADMIN_APPLICATION_PASSWORD'];
    for (const name of Object.keys(settings).filter(
      (one) => /PASSWORD|SECRET_KEY|REPLICA_KEY/.test(one) && !optional.includes(one),
    ))
      expect(() => composeWith({ ...settings, [name]: '' })).toThrow(name);
  });
});

test('deploy/nats-users.conf is that of the contracts: `npm run generate` writes it', () => {
  expect(deployFile('nats-users.conf')).toBe(usersOfInstallation(streamPrefix));
});

test('the services that a worker has are those of the compose file, of its user of MongoDB, of the chart and of the program', () => {
  const named = (text: string, list: RegExp): string[] =>
    [...(list.exec(text)?.[1] ?? '').matchAll(/[a-z]+(?:-[a-z]+)*/g)].map(([name]) => name).sort();
  const together = [...workerServices].sort();
  const inProfile = Object.keys(services).filter((name) => services[name]?.profiles?.includes('services'));
  expect(inProfile.sort()).toEqual(together);
  expect(named(deployFile('mongo-set-up.js'), /ofWorker = \[(.*)\]/)).toEqual(together);
  expect(named(deployFile('helm/order-automation/templates/_helpers.tpl'), /together := list (.*) }}/)).toEqual(
    together,
  );
  const program = readFileSync(join(__dirname, 'worker.ts'), 'utf8');
  expect([...program.matchAll(/name: '([a-z-]+)'/g)].map(([, name]) => name).sort()).toEqual(together);
});

test('a variable has one name in every service that reads it: a worker reads it once', () => {
  const names = new Map<string, Set<string>>();
  for (const [name, { env }] of Object.values(serviceDefinitions).flatMap((each) => Object.entries(each)))
    names.set(name, (names.get(name) ?? new Set()).add(env));
  expect([...names].filter(([, variables]) => variables.size > 1)).toEqual([]);
});

describe('deploy/helm', () => {
  const chart = join(__dirname, '../../../deploy/helm/order-automation');
  const ofChart = ['HOST', 'PORT', 'OPS_HOST', 'OPS_PORT', 'DATA_DIR', 'NATS_URL', 'MONGODB_URI'];
  const template = readFileSync(join(chart, 'templates/_variables.tpl'), 'utf8');
  const given = new Map(
    [...template.matchAll(/^([a-z-]+): \[(.*)\]$/gm)].map(([, name = '', list = '']) => [
      name,
      list.split(', ').sort(),
    ]),
  );
  const readBy = (names: Iterable<string>) => [...names].filter((name) => !ofChart.includes(name)).sort();

  test.each(processes)('%s is given the variables that it reads', (service) => {
    const everything = Object.fromEntries([...allVariables.keys()].map((name) => [name, 'x']));
    expect(given.get(service)).toEqual(readBy(Object.keys(environmentOf(service, everything))));
  });

  test('the one pod is given the variables of every service', () => {
    const read = examplesOf([embeddedConfiguration, ...Object.values(serviceDefinitions)]).keys();
    expect(given.get('embedded')).toEqual(readBy(read));
  });

  test('its files are those of deploy/: `npm run generate` copies them', () => {
    const dashboards = readdirSync(join(chart, '../../grafana/dashboards')).map((name) => `dashboards/${name}`);
    const homes: Record<string, string> = {
      ...Object.fromEntries(dashboards.map((name) => [name, `grafana/${name}`])),
      'order-automation.rules.yml': 'prometheus/order-automation.rules.yml',
    };
    const names = readdirSync(join(chart, 'files'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\./.test(name),
    );
    expect(names).toEqual(expect.arrayContaining([...dashboards, 'nats.conf', 'mongo-set-up.js']));
    for (const name of names)
      expect(readFileSync(join(chart, 'files', name), 'utf8')).toBe(deployFile(homes[name] ?? name));
  });
});

describe('deploy/new-env', () => {
  const script = join(__dirname, '../../../deploy/new-env');
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'order-automation-new-env-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('makes every secret, each its own, in a file for its owner alone', () => {
    const file = join(folder, '.env');
    execFileSync(script, [file]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const made = [...readFileSync(file, 'utf8').matchAll(/^([A-Z_]+)=(.*)$/gm)]
      .filter(([, name = '']) => /PASSWORD|CARD_SECRETS$|^SECRET_KEY$|REPLICA_KEY$/.test(name))
      .map(([, , value = '']) => value);
    expect(made.length).toBeGreaterThan(18);
    expect(new Set(made).size).toBe(made.length);
    expect(made.filter((value) => value.length < 41)).toEqual([]);
  });

  test('leaves the secrets of an installation as they are', () => {
    const file = join(folder, '.env');
    execFileSync(script, [file]);
    const before = readFileSync(file, 'utf8');
    expect(() => execFileSync(script, [file], { stdio: 'pipe' })).toThrow(/there already/);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test('writes nothing where there is no source of random bytes', () => {
    const file = join(folder, '.env');
    const broken = readFileSync(script, 'utf8')
      .replaceAll('/dev/urandom', '/dev/null')
      .replace('$(dirname "$0")', join(script, '..'));
    expect(() => execFileSync('sh', ['-s', file], { input: broken, stdio: 'pipe' })).toThrow(/random bytes/);
    expect(() => statSync(file)).toThrow(/ENOENT/);
  });
});
