import type { EventReceived, UniversalEvent } from '@order-automation/contracts';
import { describeLanes, waitFor } from '@order-automation/testing';
import { addNote, changeStatus, eventOf, type OrderWorld, startOrderWorld } from './order-world';

type Kind = 'created' | 'processing' | 'failed' | 'succeeded' | 'refund1' | 'refund2' | 'dispute';

const life: readonly Kind[] = ['created', 'processing', 'failed', 'succeeded', 'refund1', 'refund2', 'dispute'];
const began = Date.UTC(2026, 10, 20);

/** The life of the payment of one order; each event a minute after the one before. */
function lifeOf(order: number): Record<Kind, EventReceived> {
  const at = (kind: Kind) => new Date(began + life.indexOf(kind) * 60_000).toISOString();
  const of = (kind: Kind, over: Partial<UniversalEvent>) => eventOf(order, { occurredAt: at(kind), ...over });
  const refund = (kind: 'refund1' | 'refund2') =>
    of(kind, {
      genericType: 'payment_refunded',
      eventType: 'payment.card.refund_created',
      primaryObjectType: 'refund',
      primaryObjectID: `re_${order}_${kind}`,
      amount: '5.00',
    });
  return {
    created: of('created', { genericType: 'payment_created', eventType: 'payment.card.payment_intent_created' }),
    processing: of('processing', {
      genericType: 'payment_processing',
      eventType: 'payment.card.payment_intent_processing',
    }),
    failed: of('failed', { genericType: 'payment_failed', eventType: 'payment.card.payment_intent_payment_failed' }),
    succeeded: of('succeeded', {}),
    refund1: refund('refund1'),
    refund2: refund('refund2'),
    dispute: of('dispute', {
      genericType: 'dispute_opened',
      eventType: 'payment.card.charge_dispute_created',
      primaryObjectType: 'dispute',
      primaryObjectID: `dp_${order}`,
    }),
  };
}

/** The same shuffle every time. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  const found = [...items];
  let state = seed * 2_654_435_761 + 12_345;
  for (let last = found.length - 1; last > 0; last -= 1) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    const other = state % (last + 1);
    [found[last], found[other]] = [found[other] as T, found[last] as T];
  }
  return found;
}

function permutationsOf<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, at) => permutationsOf(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}

/** Up to two of the events come once more, anywhere. */
function withCopiesBetween<T>(items: readonly T[], seed: number): T[] {
  const found = [...items];
  for (let copies = seed % 3; copies > 0; copies -= 1) {
    const item = items[(seed * 31 + copies) % items.length] as T;
    found.splice((seed * 17 + copies * 5) % (found.length + 1), 0, item);
  }
  return found;
}

async function createRules(world: OrderWorld): Promise<void> {
  const rule = (trigger: string, primaryAction: ReturnType<typeof changeStatus> | null, note: string) => ({
    trigger: { id: trigger, settings: {} },
    conditions: [],
    primaryAction,
    secondaryActions: [addNote(note)],
  });
  await world.createRule('Paid', rule('order_processing', changeStatus('completed'), 'paid'));
  await world.createRule('Failed', rule('payment_failed', changeStatus('on-hold'), 'failed'));
  await world.createRule('Disputed', rule('dispute_opened', changeStatus('on-hold'), 'disputed'));
  await world.createRule('Refunded', rule('refund_created', null, 'refunded'));
}

describeLanes('the order of events', (lane) => {
  let world: OrderWorld;
  beforeAll(async () => {
    world = await startOrderWorld(lane, 1);
    await createRules(world);
    await world.startInstances();
  }, 60_000);
  afterAll(() => world?.close());

  /** Milliseconds: with `LIVES=all` every order of the events of a payment is tried, on thousands of orders instead of some. */
  const all = process.env.LIVES === 'all';
  const timeout = all ? 1_800_000 : 200_000;
  const orders = lane.name === 'embedded' ? 200 : 12;
  let nextOrder = 1_000;

  /**
   * Publishes these events of each order in this order and waits until all are done. Resolves with the status of each order. What `isHeld` names was
   * held back by a pause of a minute, which ends before the events that follow it.
   */
  async function tell(
    sequences: readonly (readonly Kind[])[],
    isHeld: (order: number, round: number) => boolean = () => false,
  ): Promise<Map<number, string>> {
    const first = nextOrder;
    nextOrder += sequences.length;
    const lives = sequences.map((_, index) => lifeOf(first + index));
    for (let from = 0; from < lives.length; from += 200)
      await Promise.all(lives.slice(from, from + 200).map((_, index) => world.createOrder(first + from + index)));
    const longest = Math.max(...sequences.map((kinds) => kinds.length));
    const expected = new Set<string>();
    for (let round = 0; round < longest; round += 1) {
      const events = sequences.flatMap((kinds, index) => {
        const kind = kinds[round];
        const data = kind && lives[index]?.[kind];
        if (!data) return [];
        return [isHeld(index, round) ? heldBack(data) : data];
      });
      for (const { event } of events) expected.add(event.id);
      await world.publish(events);
    }
    await waitFor(() => [...expected].every(world.isDone), { timeout: timeout - 80_000, describe: 'all events' });
    const statuses = new Map<number, string>();
    for (const [index] of sequences.entries()) statuses.set(first + index, (await world.order(first + index)).status);
    return statuses;
  }

  const heldBack = (data: EventReceived): EventReceived => {
    const receivedAt = new Date(Date.now() - 62_000).toISOString();
    return { ...data, event: { ...data.event, receivedAt } };
  };

  const odd = (statuses: Map<number, string>, sequences: readonly (readonly Kind[])[], wanted: string) =>
    [...statuses.values()].flatMap((status, index) =>
      status === wanted ? [] : [[status, ...(sequences[index] ?? [])]],
    );

  /** With duplicates of some of them anywhere. */
  const withCopies = (kinds: readonly Kind[], seed: number): Kind[] =>
    shuffled([...kinds, ...shuffled(kinds, seed + 1).slice(0, seed % 3)], seed);
  /** Some orders of these events, or every one, each with copies of some of them. */
  const sequencesOf = (kinds: readonly Kind[], firstSeed = 0, count = orders): Kind[][] =>
    all
      ? permutationsOf(kinds).map((order, seed) => withCopiesBetween(order, seed))
      : Array.from({ length: count }, (_, seed) => withCopies(kinds, seed + firstSeed));

  test(
    'whatever comes first, a disputed payment ends on hold',
    async () => {
      const sequences = sequencesOf(life);
      expect(odd(await tell(sequences), sequences, 'on-hold')).toEqual([]);
    },
    timeout,
  );

  test(
    'whatever comes first, a payment that was refunded in part completes its order',
    async () => {
      const undisputed = life.filter((kind) => kind !== 'dispute');
      const sequences = sequencesOf(undisputed);
      expect(odd(await tell(sequences), sequences, 'completed')).toEqual([]);
      const notes = (await world.order(nextOrder - 1)).notes.map(({ note }) => note);
      expect(notes.filter((note) => note === 'refunded')).toHaveLength(2);
      expect(notes.filter((note) => note === 'paid')).toHaveLength(1);
    },
    timeout,
  );

  test(
    'the same with a pause in between: what it held back and what comes after it end as if there had been none',
    async () => {
      const sequences = sequencesOf(life, 900);
      const isHeld = (order: number, round: number) => round >= order % 4 && round < (order % 4) + 2 + (order % 3);
      expect(odd(await tell(sequences, isHeld), sequences, 'on-hold')).toEqual([]);
      const undisputed = sequencesOf(
        life.filter((kind) => kind !== 'dispute'),
        1_300,
      );
      expect(odd(await tell(undisputed, isHeld), undisputed, 'completed')).toEqual([]);
    },
    timeout,
  );

  test(
    'the same while every third step fails, before or after it was carried out',
    async () => {
      const sequences = sequencesOf(life, 500, Math.ceil(orders / 5));
      world.failEvery(3);
      const statuses = await tell(sequences);
      world.failEvery(0);
      expect(odd(statuses, sequences, 'on-hold')).toEqual([]);
    },
    timeout,
  );

  test('what was held back with its payment does not overtake it, nor do fresh events of the order', async () => {
    const first = nextOrder;
    const ids = Array.from({ length: Math.ceil(orders / 4) }, (_, index) => first + index);
    nextOrder += ids.length;
    await Promise.all(ids.map((id) => world.createOrder(id)));
    const lives = ids.map(lifeOf);
    const held = (['created', 'succeeded'] as const).flatMap((kind) => lives.map((events) => heldBack(events[kind])));
    const fresh = lives.flatMap(({ refund1, refund2 }) => [refund1, refund2]);
    await world.publish(held);
    await world.publish(fresh);
    const all = [...held, ...fresh];
    await waitFor(() => all.every(({ event }) => world.isDone(event.id)), { timeout: 60_000, describe: 'all events' });
    const statuses = await Promise.all(ids.map(async (id) => (await world.order(id)).status));
    expect(new Set(statuses)).toEqual(new Set(['completed']));
    const stale = world
      .entries()
      .filter(({ event_type, order_id }) => event_type === 'event_stale' && (order_id ?? 0) >= first);
    expect(stale).toEqual([]);
  }, 200_000);

  test('a second event about a payment does not ask anybody to look at it', async () => {
    const [order, other] = [nextOrder, nextOrder + 1];
    nextOrder += 2;
    await Promise.all([world.createOrder(order), world.createOrder(other)]);
    const intent = eventOf(order, {});
    const charge = eventOf(order, {
      eventType: 'payment.card.charge_succeeded',
      primaryObjectType: 'charge',
      primaryObjectID: `ch_${order}`,
    });
    const invoice = eventOf(order, {
      eventType: 'payment.card.invoice_paid',
      primaryObjectType: 'invoice',
      primaryObjectID: `in_${order}`,
    });
    for (const data of [intent, charge, invoice]) {
      await world.publish([data]);
      await waitFor(() => world.isDone(data.event.id));
    }
    const late = (id: number) =>
      world.entries().filter((entry) => entry.order_id === id && entry.event_type === 'late_payment');
    expect(late(order)).toEqual([]);
    expect((await world.order(order)).notes.filter(({ note }) => note === 'paid')).toHaveLength(1);
    // Another payment of an order that is completed is worth a look.
    await world.publish([eventOf(other, {})]);
    await waitFor(async () => (await world.order(other)).status === 'completed');
    const second = eventOf(other, { transactionID: 'pi_second', primaryObjectID: 'pi_second' });
    await world.publish([second]);
    await waitFor(() => world.isDone(second.event.id));
    expect(late(other)).toMatchObject([{ status: 'warning' }]);
  }, 60_000);
});
