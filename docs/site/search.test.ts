import { table } from '../../services/api-gateway/src/routes';
import { textPages } from './pages';
import { subjectsOf } from './reference';
import { searchIndex } from './search';

const { index } = searchIndex(textPages(), subjectsOf(table));
const find = (words: string): string[] => index.search(words).map(({ path }) => String(path));

test.each([
  ['undo', 'reference/rules#post-v1-rules-id-restore'],
  ['failed', 'reference/webhooks#get-v1-webhooks-dead-letters'],
  ['svc_order_not_found', 'reference/shop#get-v1-shop-orders-id'],
  ['secret_key', 'configuration'],
  ['order_automation_build_info', 'metrics#of-this-product'],
  ['woocommerce', 'guide/woocommerce'],
  ['forgot password', 'guide/first-steps#a-lost-password'],
  ['connect stripe', 'guide/connect-a-gateway#which-address'],
  ['why did nothing happen', 'guide/why-did-an-order-not-move'],
  ['invite', 'reference/accounts#post-v1-auth-users'],
  ['invite a colleague', 'guide/jobs#4-add-a-user-a-colleague-who-may-only-read'],
  ['add a user', 'guide/jobs#4-add-a-user-a-colleague-who-may-only-read'],
  ['gdpr', 'guide/read-the-log#delete'],
  ['chargeback', 'guide/money'],
  ['slack', 'guide/notifications'],
  ['chatgpt', 'guide/ask'],
  ['cancel unpaid orders', 'guide/first-rule#in-the-console'],
  ['order stays pending', 'guide/why-did-an-order-not-move'],
  ['webhook not arriving', 'guide/missing-events'],
  ['move to another server', 'guide/back-up#move-to-another-server'],
])('%s leads to %s', (words, path) => {
  expect(find(words)).toContain(path);
});

test('several words narrow the search, and a slip of the finger is forgiven', () => {
  expect(find('restore rule')[0]).toBe('reference/rules#post-v1-rules-id-restore');
  expect(find('restore zebra')).toEqual([]);
  expect(find('rstore')).toContain('reference/rules#post-v1-rules-id-restore');
});

test('pages of the console are not among the routes', () => {
  expect(find('console').filter((path) => path.startsWith('reference/console'))).toEqual([]);
});
