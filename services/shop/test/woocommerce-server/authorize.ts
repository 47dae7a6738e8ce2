import type { Key } from './access';

/** What the shop posts: `{key_id, user_id, consumer_key, consumer_secret, key_permissions}`. Resolves with the status of the answer. */
export type PostKeys = (callback: string, body: Record<string, unknown>) => Promise<number>;

const scopes = ['read', 'write', 'read_write'];

/**
 * A person approves on `/wc-auth/v1/authorize` of the shop, as class-wc-auth.php has it: every parameter must be there, keys go to an https address
 * alone, and any answer but 200 is an error. Resolves with where the browser goes then.
 */
export async function approve(address: string, key: Key, post: PostKeys): Promise<string> {
  const url = new URL(address);
  if (!url.pathname.endsWith('/wc-auth/v1/authorize')) throw new Error(`${url.pathname} is no page of WooCommerce`);
  const given = (name: string): string => {
    const value = url.searchParams.get(name);
    if (!value) throw new Error(`Missing parameter ${name}`);
    return value;
  };
  const [user_id, back, callback] = [given('user_id'), given('return_url'), given('callback_url')];
  given('app_name');
  if (!scopes.includes(given('scope'))) throw new Error('Invalid scope');
  if (!callback.startsWith('https://')) throw new Error('The callback_url needs to be over SSL');
  const keys = { consumer_key: key.key, consumer_secret: key.secret, key_permissions: given('scope') };
  const status = await post(callback, { key_id: 1, user_id, ...keys });
  if (status !== 200)
    throw new Error(
      `An error occurred in the request and at the time were unable to send the consumer data (${status})`,
    );
  const target = new URL(back);
  target.searchParams.set('success', '1');
  target.searchParams.set('user_id', user_id);
  return target.href;
}
