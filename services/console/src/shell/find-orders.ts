import { moneyText } from './format';
import { api } from './session';
import type { Suggestion } from './suggest';

/** Orders by id, number, name or e-mail address; the newest ones without a text. */
export async function findOrders(text: string): Promise<readonly Suggestion[]> {
  const answer = await api('GET /v1/shop/orders', { query: { ...(text !== '' && { search: text }), per_page: 8 } });
  if (!answer.ok) return [];
  return answer.body.orders.map(({ id, status, total, currency, billing }) => ({
    value: String(id),
    label: `Order ${id}`,
    about: `${billing.first_name} ${billing.last_name}, ${moneyText(total, currency)}, ${status}`,
  }));
}
