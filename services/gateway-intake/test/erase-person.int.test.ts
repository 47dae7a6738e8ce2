import type { Service } from '@order-automation/service';
import { describeLanes, type LaneDeps, waitFor } from '@order-automation/testing';
import { genericWebhook, inboxOf, type Peers, receive, receiveOne, running, storedEvents } from './intake';

describeLanes('erasing a person from what was received', (lane) => {
  let deps: LaneDeps;
  let service: Service;
  let peers: Peers;

  beforeEach(async () => {
    ({ deps, peers, service } = await running(lane));
  });
  afterEach(async () => {
    await service.close();
    await deps.close();
  });

  const erase = (email: string | null, customer_id: number | null = null) =>
    deps.bus.request('intake.person.erase.v1', { email, customer_id }, { timeout: 60_000 });

  test('the bytes of every webhook that holds the address are gone, its key and everybody else’s stay', async () => {
    const about = (id: string, email: string) =>
      genericWebhook({
        id,
        status: `asked by ${email}`,
        billing: { email, phone: '+15550100' },
        note: 'x'.repeat(5_000),
      });
    const escaped = genericWebhook('{"id":"escaped","email":"ada\\u0040example.com","phone":"+15550100"}');
    const form = {
      ...genericWebhook('id=form&email=ada%40example.com'),
      headers: { 'content-type': ['application/x-www-form-urlencoded'] },
    };
    const ada = [...Array.from({ length: 120 }, (_, index) => about(`ada-${index}`, 'Ada@Example.com')), escaped, form];
    const others = [about('bada', 'bada@example.com'), genericWebhook({ id: 'customer', customer_id: 7 })];
    const receptions = await receive(deps.bus, [...ada, ...others]);
    const stored = receptions.filter(({ success }) => success).length;
    await waitFor(() => peers.events.length === stored);
    for (const { data } of peers.events) await peers.finish(data.event.id);
    const inbox = await inboxOf(deps);
    await waitFor(async () => (await inbox.countDocuments({ state: 'done' })) === stored);
    const keys = (await storedEvents(deps)).map(({ key }) => key).sort();

    const { erased, unconfirmed } = await erase('ADA@example.com');
    expect({ erased, unconfirmed }).toEqual({ erased: stored - others.length, unconfirmed: 0 });
    const left = await storedEvents(deps);
    expect(left.map(({ key }) => key).sort()).toEqual(keys);
    expect(JSON.stringify(left)).not.toMatch(/[^b]ada@example\.com|ada\\u0040/i);
    expect(left.filter(({ body }) => body !== undefined)).toHaveLength(others.length);
    expect(await erase('ada@example.com')).toMatchObject({ erased: 0, unconfirmed: 0 });
    expect(await erase(null, 7)).toMatchObject({ erased: 1, unconfirmed: 0 });
    expect(await receiveOne(deps.bus, about('ada-0', 'Ada@Example.com'))).toMatchObject({ duplicate: true });
    const one = await deps.bus.request('intake.event.list.v1', { filter: {}, page: 1, per_page: 1 });
    expect(one.events).toHaveLength(1);
  }, 60_000);
});
