import type { Documents } from '@order-automation/store';
import { describeLanes } from '@order-automation/testing';
import { type AwaitedDocument, openWaitingRoom, type WaitingRoom } from '../src/attempts/waiting';
import { newDocument } from '../src/evaluation-document';
import { taskOfEvent } from '../src/task';
import { received } from './peers';

const day = 24 * 60 * 60 * 1000;

describeLanes('the rows by which a waiting event is woken', (lane) => {
  it('are there after a stop of days, at whichever moment of its next look those of that time are purged', async () => {
    const { store } = await lane.deps();
    const clock = { now: () => now };
    let now = Date.now();
    let room: WaitingRoom | undefined;
    /** A purge follows each write of the room. */
    const purging = <T extends object>(documents: T): T => {
      const { insertMany, updateMany } = documents as unknown as Documents<AwaitedDocument>;
      const followed =
        <A extends readonly never[], R>(write: (...args: A) => Promise<R>) =>
        (...args: A): Promise<R> =>
          write(...args).finally(() => room?.purge(now - day));
      return { ...documents, insertMany: followed(insertMany as never), updateMany: followed(updateMany as never) };
    };
    const deps = {
      store: {
        ...store,
        collection: async (...of: never) => purging(await (store.collection as never as Opening)(...of)),
      },
      claims: { save: async () => true },
      record: async () => undefined,
      finish: async () => 'no_order',
      reportWaiting: async () => undefined,
      clock,
      orderWait: day,
    };
    const open = () => openWaitingRoom(deps as never);
    const task = taskOfEvent(received('pi_stopped', 71));
    const document = newDocument(task);
    room = await open();
    expect(await room.waitFor(document, task)).toBe('waiting');
    now += 8 * day;
    room = await open();
    expect(await room.waitFor(document, task)).toBe('waiting');
    expect(await room.eventsAwaiting(['number:71'])).toEqual([document._id]);
  });
});

type Opening = (...of: never) => Promise<object>;
