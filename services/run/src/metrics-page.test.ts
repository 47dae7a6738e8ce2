import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(__dirname, '../../..');

/** Sources of the product, without tests. */
const sources = ['services', 'shared'].flatMap((folder) =>
  readdirSync(join(root, folder)).flatMap((name) => {
    const src = join(root, folder, name, 'src');
    const files = existsSync(src) ? readdirSync(src, { recursive: true, encoding: 'utf8' }) : [];
    return files.filter((file) => /(?<!\.test)\.ts$/.test(file)).map((file) => join(src, file));
  }),
);

test('docs/metrics.md names the metrics that the sources name: `npm run generate:metrics` writes it', () => {
  const named = sources.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const whole = [...text.matchAll(/'(order_automation_[a-z0-9_]+)'/g)].map(([, name = '']) => name);
    const prefix = /metricsOfTable\(\w+, '([a-z]+)'/.exec(text)?.[1];
    const table = /import table from '\.\/([\w-]+\.json)'/.exec(text)?.[1];
    if (prefix === undefined || table === undefined) return whole;
    const kinds: object = JSON.parse(readFileSync(join(dirname(file), table), 'utf8'));
    const all = Object.values(kinds).flatMap(Object.keys);
    return [...whole, ...all.map((name) => `order_automation_${prefix}_${name}`)];
  });
  // The cookie of a session has such a name too.
  const ours = new Set(named.filter((name) => name !== 'order_automation_session'));
  const page = readFileSync(join(root, 'docs/metrics.md'), 'utf8');
  const listed = [...page.matchAll(/^\| `(order_automation_[a-z0-9_]+)` \|/gm)].map(([, name = '']) => name);
  expect(listed).toEqual([...ours].sort());
});
