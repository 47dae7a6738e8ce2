import { settableClock } from '@order-automation/testing';
import { backlogOf } from './backlog';

const reference = (order_id: string | null, ...gateway_ids: string[]) => ({
  gateway_ids,
  order_id,
  transaction_id: null,
});

test('an order is in the backlog, by any of its ids, until each of its events was evaluated', () => {
  const backlog = backlogOf(settableClock(0));
  backlog.add(reference('42', 'pi_1'));
  backlog.add(reference(null, 'pi_1'));
  expect([reference('42'), reference(null, 'pi_1'), reference('43')].map(backlog.has)).toEqual([true, true, false]);
  backlog.remove(reference('42', 'pi_1'));
  expect([reference('42'), reference(null, 'pi_1')].map(backlog.has)).toEqual([false, true]);
  backlog.remove(reference(null, 'pi_1'));
  expect(backlog.has(reference(null, 'pi_1'))).toBe(false);
});

test('what another instance evaluates is forgotten after a while', () => {
  const clock = settableClock(0);
  const backlog = backlogOf(clock);
  backlog.add(reference('42'));
  clock.advance(10 * 60_000);
  expect(backlog.has(reference('42'))).toBe(false);
});
