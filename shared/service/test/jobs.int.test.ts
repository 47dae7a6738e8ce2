import { isoTime } from '@order-automation/contracts';
import { describeLanes, type LaneDeps, settableClock, waitFor } from '@order-automation/testing';
import { expectUsesIndex } from '../../store/test/explain';
import { type JobDocument, type JobHandler, type Jobs, openJobs, type Relay, startJobs } from '../src';

type Counting = JobDocument & { readonly state: string; readonly counted: number; readonly ended_at?: string };

describeLanes('jobs', (lane) => {
  const clock = settableClock();
  let deps: LaneDeps;
  let jobs: Jobs<Counting>;
  const running: Relay[] = [];

  beforeEach(async () => {
    deps = await lane.deps({ clock });
    jobs = await openJobs<Counting>(deps.store, 'jobs', 'run', { noun: 'count', notFound: 'svc_count_not_found' });
    await jobs.insert({ _id: 'run_1', state: 'running', counted: 0, fence: 0, due: clock.now() });
  });
  afterEach(async () => {
    for (const relay of running.splice(0)) await relay.close();
  });

  const job = () => jobs.existing('run_1');
  const startCounting = (step: (job: Counting) => Promise<Partial<Counting> | null>, over = {}): Relay => {
    const handler: JobHandler<Counting> = {
      name: 'counts',
      jobs,
      every: 10,
      begin: () => step,
      clock,
      log: deps.log,
      ...over,
    };
    const relay = startJobs(handler);
    running.push(relay);
    return relay;
  };
  const countTo = (end: number) => async (counting: Counting) =>
    counting.counted === end ? { state: 'done', due: undefined } : { counted: counting.counted + 1 };

  it('of processes that want the same job one has it, and whose lease was taken over writes nothing', async () => {
    const found = (await jobs.due(clock.now(), 10))[0] as Counting;
    const taken = await Promise.all([1, 2, 3].map(() => jobs.take(found, clock.now())));
    const [first] = taken.filter((one) => one !== null);
    expect(taken.filter((one) => one !== null)).toHaveLength(1);
    expect(await jobs.due(clock.now(), 10)).toEqual([]);
    clock.advance(31_000);
    const second = await jobs.take((await jobs.due(clock.now(), 10))[0] as Counting, clock.now());
    expect(second).toMatchObject({ fence: 2 });
    expect(await jobs.save(first as Counting, { counted: 7 }, clock.now())).toBeNull();
    expect(await jobs.save(second as Counting, { counted: 1 }, clock.now())).toMatchObject({ counted: 1 });
    expect(await job()).toMatchObject({ counted: 1, fence: 2 });
  });

  it('what another instance has put off whose clock was ahead is done now', async () => {
    await jobs.documents.updateOne({ _id: 'run_1' }, { $set: { due: clock.now() + 400 * 86_400_000 } });
    startCounting(countTo(3));
    await waitFor(async () => (await job()).state === 'done');
    expect(await job()).toMatchObject({ counted: 3 });
    expect(await job()).not.toHaveProperty('due');
  });

  it('a step that fails is tried again with backoff, and a success begins to count anew', async () => {
    const times: number[] = [];
    startCounting(async (counting) => {
      times.push(clock.now());
      if (times.length === 2 || times.length === 3) throw new Error('not now');
      return times.length === 5 ? { state: 'done', due: undefined } : { counted: counting.counted + 1 };
    });
    await waitFor(async () => (await job()).tries === 1);
    clock.advance(1_000);
    await waitFor(async () => (await job()).tries === 2);
    const before = times.length;
    clock.advance(1_000);
    await deps.store.check();
    expect(times).toHaveLength(before);
    clock.advance(1_000);
    await waitFor(async () => (await job()).state === 'done');
    expect(await job()).toMatchObject({ counted: 2, tries: 0 });
  });

  it('one that is given up is not tried again', async () => {
    let tries = 0;
    const isGivenUp = async ({ _id }: Counting, failures: number) => {
      tries = failures;
      await jobs.documents.deleteMany({ _id });
      return true;
    };
    startCounting(() => Promise.reject(new Error('never')), { isGivenUp });
    await waitFor(async () => (await jobs.byId('run_1')) === null);
    expect(tries).toBe(1);
  });

  it('a job that is cancelled goes no further, also while a process works on it; one that has ended stays as it is', async () => {
    const ended = () => ({ state: 'cancelled', ended_at: isoTime(clock.now()) });
    let steps = 0;
    startCounting(async ({ counted }) => {
      steps += 1;
      if (steps === 2) expect(await jobs.cancel('run_1', ended)).toMatchObject({ state: 'cancelled' });
      return { counted: counted + 1 };
    });
    await waitFor(async () => (await job()).state === 'cancelled');
    expect(await job()).toMatchObject({ counted: 1, ended_at: expect.any(String) });
    expect(await job()).not.toHaveProperty('due');
    expect(await jobs.cancel('run_1', ended)).toBeNull();
    const error = { status: 404, code: 'svc_count_not_found', message: 'There is no count with this id.' };
    await expect(jobs.cancel('run_2', ended)).rejects.toMatchObject(error);
  });

  it('a process that is closed leaves its job to the next one at once', async () => {
    const first = startCounting(async ({ counted }) => ({ counted: counted + 1 }));
    await waitFor(async () => (await job()).counted > 0);
    await first.close();
    const { counted } = await job();
    startCounting(countTo(counted + 2));
    await waitFor(async () => (await job()).state === 'done');
    expect(await job()).toMatchObject({ counted: counted + 2 });
  });

  it('its queries walk an index', async () => {
    for (const due of [{ $lte: 1 }, { $gt: 1 }]) await expectUsesIndex(deps.store, jobs.documents, { due }, { due: 1 });
    await expectUsesIndex(deps.store, jobs.documents, {}, { _id: -1 });
  });
});
