import { message, type RequestInput } from '@order-automation/contracts';
import { describeLanes, waitFor } from '@order-automation/testing';
import { expectUsesIndex } from '../../../shared/store/test/explain';
import type { EvaluationDocument } from '../src';
import { newDocument } from '../src/evaluation-document';
import { taskOfEvent } from '../src/task';
import { useEvaluation } from './evaluation-world';
import { contextOf, noteRule, received } from './peers';

const ada = { email: 'ADA@example.com', customer_id: 7 };
const history = 3_000;

describeLanes('evaluation: erasing a person', (lane) => {
  const world = useEvaluation(lane);

  const documentOf = (transaction: string, customer_id: number, over: Partial<EvaluationDocument>) => ({
    ...newDocument(taskOfEvent(received(transaction))),
    fence: 1,
    facts: { order: {}, customer_id, products: [], at: 1 },
    ...over,
  });
  const done = (transaction: string, customer_id: number) =>
    documentOf(transaction, customer_id, { state: 'done', subject: undefined, done_at: world.clock.now() });

  type Ask = RequestInput<'evaluation.person.erase.v1'>;
  const ask = (input: Ask) => world.deps.bus.request('evaluation.person.erase.v1', input, { timeout: 60_000 });
  const erase = async (person: Ask) => {
    const parts = [];
    for (let from: string | null = ''; from !== null; from = parts.at(-1)?.next ?? null)
      parts.push(await ask({ ...person, from }));
    return parts;
  };
  const countOf = async (id: number) => (await world.documents()).countDocuments({ 'facts.customer_id': id });

  it('a large history is walked in parts, along an index; a caller that asks for no part has all of it erased', async () => {
    const documents = await world.documents();
    const theirs = Array.from({ length: history }, (_, index) => done(`pi_${index}`, index % 2 === 0 ? 7 : 9));
    await documents.insertMany([...theirs, done('pi_bob', 8)]);
    await expectUsesIndex(world.deps.store, documents, { 'facts.customer_id': 7 });
    expect(await erase({ email: null, customer_id: 7 })).toHaveLength(Math.ceil(history / 2 / 50 / 20));
    expect([await countOf(7), await countOf(9), await countOf(8)]).toEqual([0, history / 2, 1]);
    const whole = await ask({ email: null, customer_id: 9 });
    expect([whole.next, await countOf(9), await countOf(8)]).toEqual([null, 0, 1]);
  }, 60_000);

  it('entries about an order carry its billing address to the log, and nothing keeps it once the event is done', async () => {
    await world.restartWith(noteRule(1));
    const data = received('pi_about');
    await world.publish(data);
    await world.doneWith(data.event.id);
    const email = world.peers.orders.get(42)?.order.billing.email;
    expect(email).toContain('@');
    const entries = await waitFor(() => {
      const found = world.allEntriesOf(data);
      return found.some(({ event_type }) => event_type === 'process_completed') && found;
    });
    expect(entries.length).toBeGreaterThan(3);
    expect(new Set(entries.map((entry) => entry.email))).toEqual(new Set([email]));
    expect(JSON.stringify(await world.storedAs(data.event.id, 'done'))).not.toContain(email);
  });

  it('an event that waits for its order forgets the address and goes on; one that is evaluated now is said to be unfinished', async () => {
    const data = received('pi_waits', 43);
    data.event.reason = 'paid by Ada@Example.com';
    await world.publish(data);
    await world.storedAs(data.event.id, 'waiting');
    const open = documentOf('pi_open', 7, { state: 'open', due: world.clock.now() + 10_000 });
    await (await world.documents()).insertMany([open]);
    expect(await erase(ada)).toEqual([{ erased: 1, unfinished: 1, next: null }]);
    expect(JSON.stringify(await world.stored(data.event.id))).not.toMatch(/ada@/i);
    world.peers.orders.set(43, contextOf(43));
    const cause = { process_id: 'proc_shop', depth: 0, author: 'ada' };
    const at = new Date(world.clock.now()).toISOString();
    const change = { order_id: 43, kind: 'identified', from: 'pending', to: 'pending', at, cause } as const;
    await world.deps.bus.publish(
      message(
        'shop.order-changed.v1',
        { ...change, change_id: 'chg_43', keys: ['number:43'] },
        { id: 'chg_43', process_id: 'proc_shop', now: Date.now() },
      ),
    );
    expect(await world.doneWith(data.event.id)).toMatchObject({ order_id: 43 });
    await (await world.documents()).updateOne({ _id: open._id }, { $set: { state: 'done', done_at: 1 } });
    expect(await erase(ada)).toEqual([{ erased: 0, unfinished: 0, next: null }]);
    expect(await countOf(7)).toBe(0);
  });
});
