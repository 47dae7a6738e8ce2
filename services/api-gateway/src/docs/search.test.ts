import { table } from '../routes';
import { searchEntries } from './search';
import { subjectsOf } from './subjects';

const entries = searchEntries(subjectsOf(table));
const find = (...words: string[]) =>
  entries.filter(({ words: text }) => words.every((word) => text.includes(word))).map(({ path }) => path);

test.each([
  [['undo'], '/docs/reference/rules#post-v1-rules-id-restore'],
  [['failed'], '/docs/reference/webhooks#get-v1-webhooks-dead-letters'],
  [['svc_order_not_found'], '/docs/reference/shop#get-v1-shop-orders-id'],
  [['secret_key'], '/docs/configuration'],
  [['order_automation_build_info'], '/docs/metrics#of-this-product'],
  [['woocommerce'], '/docs/guide/woocommerce'],
  [['invite'], '/docs/reference/accounts#post-v1-auth-users'],
])('%j leads to %s', (words, path) => {
  expect(find(...words)).toContain(path);
});

test('pages of the console are not among the routes', () => {
  expect(entries.filter(({ path }) => path.includes('reference/console'))).toEqual([]);
});
