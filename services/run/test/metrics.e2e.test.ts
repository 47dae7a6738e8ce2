import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@order-automation/testing';
import { type Product, startEmbedded } from './product';

const file = join(__dirname, '../../../docs/metrics.md');
const introduction = `# Metrics

What \`/metrics\` on the ops port answers (\`OPS_PORT\`, 9464 unless set otherwise), in the text format of Prometheus. Every sample has the label \`service\`. Names of our own
begin with \`order_automation_\`; the others tell of the process: processor, memory, garbage collection, delay of the event loop.

\`npm run generate:metrics\` writes this page; a test compares it with what a running product answers. \`deploy/prometheus\` has alerts on these metrics, \`deploy/grafana\` dashboards.

## Labels

Every label takes its values from a list that code or an administrator makes; none of them comes from a sender or a customer. So a service has some hundreds of series, and their number does not grow
with orders or webhooks. Gauges about a database (backlog, waiting, dead letters) are the same from every instance of a service: aggregate them with \`max\`, not with \`sum\`.

| label | values | how many |
|---|---|---|
| \`service\` | \`api-gateway\`, \`gateway-intake\`, \`rules\`, \`evaluation\`, \`audit\`, \`pro-debug\`, \`shop\`; \`worker\` and \`embedded\` for the process that has several | 9 |
| \`gateway\` | names of the adapters, those of extensions included; \`unknown\` for any other address | gateways + 1 |
| \`endpoint\` | a gateway, or \`generic/<connection>\` whose last secret ends | connections, at most 1,000 |
| \`reason\` | codes of refusals, of denials, of requests that were not asked | about 40 |
| \`outcome\` | how a webhook, a login or an event ended | 6, 3 and 12 |
| \`origin\` | \`intake\`, \`shop\`, \`schedule\` | 3 |
| \`stage\` | \`taken_up\`, \`decided\`, \`effects\`, \`done\` | 4 |
| \`verdict\`, \`result\`, \`status\`, \`end\`, \`cause\`, \`what\`, \`by\` | results of rules, effects, commands, entries and tries, as the code names them | 2 to 10 each |
| \`kind\` | kinds of effects, of deliveries, of changes | 3 to 5 |
| \`condition\` | ids of conditions, those of extensions included | about 25 |
| \`peer\` | services behind the edge | 6 |
| \`method\`, \`route\`, \`status\` | of \`http_request_seconds\`: routes by their pattern, never by their parameters | about 300 in use |
| \`part\` | \`bus\`, \`store\` and the services of a process | 2 to 10 |
| \`view\`, \`scope\`, \`edition\` | \`flat\`, \`consolidated\`; \`log\`; \`default\`, \`extended\` | 2, 1, 2 |
`;

type Metric = { readonly name: string; readonly type: string; readonly help: string };

function metricsIn(text: string): Metric[] {
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]));
  const helps = [...text.matchAll(/^# HELP (\S+) (.*)$/gm)].map(([, name = '', help = '']) => ({ name, help }));
  return helps
    .map(({ name, help }) => ({ name, help, type: types.get(name) ?? '' }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function table(metrics: readonly Metric[]): string {
  const rows = metrics.map(({ name, type, help }) => `| \`${name}\` | ${type} | ${help.replaceAll('|', '\\|')} |`);
  return ['| name | type | what it tells |', '|---|---|---|', ...rows].join('\n');
}

let product: Product;
let dir: string;
let metrics: Metric[];

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'order-automation-metrics-'));
  const env = { DATA_DIR: dir, PORT: '0', OPS_PORT: '0', LOG_LEVEL: 'silent' };
  product = await startEmbedded({ env, log: 'ignore' });
  const [ops] = [...product.started.values()].map(({ ops }) => ops);
  const text = await waitFor(async () => {
    if ((await fetch(`http://127.0.0.1:${ops}/readyz`)).status !== 200) return undefined;
    return (await fetch(`http://127.0.0.1:${ops}/metrics`)).text();
  });
  metrics = metricsIn(text);
}, 60_000);
afterAll(async () => {
  await product.stop();
  rmSync(dir, { recursive: true, force: true });
});

test('docs/metrics.md lists what a running product tells', () => {
  const ours = metrics.filter(({ name }) => name.startsWith('order_automation_'));
  const others = metrics.filter(({ name }) => !name.startsWith('order_automation_'));
  const page = `${introduction}\n## Of this product\n\n${table(ours)}\n\n## Of the process\n\n${table(others)}\n`;
  if (process.env.WRITE_METRICS_PAGE === '1') writeFileSync(file, page);
  expect(readFileSync(file, 'utf8')).toBe(page);
});

test('names as Prometheus asks: one prefix, _total on counters alone, base units', () => {
  const own = metrics.filter(({ name }) => !/^(process|nodejs)_/.test(name));
  expect(own.filter(({ name }) => !/^order_automation_[a-z0-9_]+$/.test(name))).toEqual([]);
  expect(own.filter(({ name, type }) => name.endsWith('_total') !== (type === 'counter'))).toEqual([]);
  expect(own.filter(({ name }) => /_(ms|milliseconds|minutes|kb|mb)$/.test(name))).toEqual([]);
  expect(own.filter(({ help }) => help.length < 15)).toEqual([]);
});
