import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const root = join(__dirname, '../../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

type Target = { readonly expr?: string };
type Panel = {
  readonly title: string;
  readonly targets?: readonly Target[];
  readonly gridPos: Record<'x' | 'w', number>;
};
type Dashboard = { readonly uid: string; readonly title: string; readonly panels: readonly Panel[] };
type Rule = { readonly alert: string; readonly expr: string; readonly annotations: Record<string, string> };

const dashboards = readdirSync(join(root, 'deploy/grafana/dashboards')).map((name) => ({
  name,
  dashboard: JSON.parse(read(`deploy/grafana/dashboards/${name}`)) as Dashboard,
}));
const rules = (
  parse(read('deploy/prometheus/order-automation.rules.yml')) as { groups: { rules: Rule[] }[] }
).groups.flatMap((group) => group.rules);
const listed = new Set([...read('docs/metrics.md').matchAll(/^\| `([a-z0-9_]+)` \|/gm)].map(([, name = '']) => name));

/** Metrics that an expression names, without the endings of a histogram. */
function metricsIn(expr: string): string[] {
  const names = expr.match(/\b(order_automation|process|nodejs)_[a-z0-9_]+/g) ?? [];
  return names.map((name) => (listed.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '')));
}

test('every metric that an alert or a panel asks for is one that we have', () => {
  const asked = [
    ...rules.map(({ alert, expr }) => [alert, expr] as const),
    ...dashboards.flatMap(({ name, dashboard }) =>
      dashboard.panels.flatMap(({ title, targets = [] }) =>
        targets.map(({ expr = '' }) => [`${name}: ${title}`, expr] as const),
      ),
    ),
  ];
  expect(asked.length).toBeGreaterThan(80);
  const unknown = asked.flatMap(([where, expr]) =>
    metricsIn(expr).flatMap((name) => (listed.has(name) ? [] : [`${where}: ${name}`])),
  );
  expect(unknown).toEqual([]);
});

test('each alert has a test and a section of the runbook that its address leads to', () => {
  const tests = parse(read('deploy/prometheus/order-automation.rules.test.yml')) as {
    tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
  };
  const fired = tests.tests.flatMap(({ alert_rule_test }) =>
    alert_rule_test.filter(({ exp_alerts }) => exp_alerts.length > 0).map(({ alertname }) => alertname),
  );
  expect([...new Set(fired)].sort()).toEqual(rules.map(({ alert }) => alert).sort());
  const sections = [...read('docs/operations/alerts.md').matchAll(/^## (.+)$/gm)].map(
    ([, title = '']) => `docs/operations/alerts.md#${title.toLowerCase().replaceAll(' ', '-')}`,
  );
  expect(
    rules.map(({ annotations }) => annotations.runbook_url).filter((url) => !sections.includes(url ?? '')),
  ).toEqual([]);
});

test('dashboards have ids of their own and panels that fit the page', () => {
  expect(new Set(dashboards.map(({ dashboard }) => dashboard.uid)).size).toBe(dashboards.length);
  for (const { name, dashboard } of dashboards) {
    expect(name).toBe(`${dashboard.uid}.json`);
    expect(dashboard.panels.filter(({ gridPos }) => gridPos.x + gridPos.w > 24)).toEqual([]);
  }
});
