import { message } from '@order-automation/contracts';
import { describeLanes, waitFor } from '@order-automation/testing';
import { startEvaluation } from '../src';
import { contextOf, received, startPeers, testConfig } from './peers';

const backlog = 2_000;
const fresh = 10;

describeLanes('a backlog', (lane) => {
  test('events that arrive now do not wait for those that have waited, and all are done', async () => {
    const deps = await lane.deps();
    const peers = await startPeers(deps.bus);
    const service = await startEvaluation(deps, testConfig());
    const event = (index: number, receivedAt: number) => {
      peers.orders.set(index, contextOf(index));
      const data = received(`pi_${index}`, index);
      const at = new Date(receivedAt).toISOString();
      return message(
        'intake.event-received.v1',
        { ...data, event: { ...data.event, receivedAt: at } },
        { now: Date.now() },
      );
    };
    const late = Array.from({ length: backlog }, (_, index) => event(1 + index, deps.clock.now() - 61_000));
    const now = Array.from({ length: fresh }, (_, index) => event(1 + backlog + index, deps.clock.now()));
    await deps.bus.publish([...late, ...now]);

    const done = (events: readonly { data: { event: { id: string } } }[]) => {
      const ids = new Set(peers.done.map(({ event_id }) => event_id));
      return events.filter(({ data }) => ids.has(data.event.id)).length;
    };
    await waitFor(() => done(now) === fresh, { timeout: 60_000, describe: 'the fresh events' });
    expect(done(late)).toBeLessThan(backlog / 2);
    await waitFor(() => done(late) === backlog, { timeout: 120_000, describe: 'the backlog' });
    expect([...peers.commands.values()].every((times) => times === 1)).toBe(true);
    await service.close();
    await deps.close();
  }, 200_000);
});
