import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accessOf, serviceNames } from './access';
import { events, requests } from './messages';

const services = join(__dirname, '../../../services');
/** What asks other services on behalf of its caller: entries handed to the log, rules read. */
const shared = [
  { calls: /\bopenOutbox\(/, file: 'durable/outbox.ts' },
  { calls: /\b(readRules|readChanged|readVersions)\(/, file: 'rule-reader.ts' },
];
const sourceOf = (file: string): string => readFileSync(join(__dirname, '../../service/src', file), 'utf8');
const types = [...Object.keys(events), ...Object.keys(requests)];

/** The message types that the code of a service names. */
function namedIn(service: string): string[] {
  const folder = join(services, service, 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'));
  const code = sources.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  const asking = shared.filter(({ calls }) => calls.test(code)).map(({ file }) => sourceOf(file));
  return types.filter((type) => [code, ...asking].some((text) => text.includes(`'${type}'`)));
}

test.each(serviceNames)('access.ts lets %s use on the bus what its code names, and nothing else', (service) => {
  const { publishes, answers, subscribes, requests: asked } = accessOf(service);
  const named = namedIn(service);
  expect([...asked, ...subscribes].filter((type) => !named.includes(type))).toEqual([]);
  expect(named.filter((type) => ![...publishes, ...answers, ...subscribes, ...asked].includes(type as never))).toEqual(
    [],
  );
});

test('every message has one service that publishes or answers it', () => {
  const owned = serviceNames.flatMap((service) => {
    const { publishes, answers } = accessOf(service);
    return [...publishes, ...answers];
  });
  expect([...owned].sort()).toEqual([...types].sort());
});
