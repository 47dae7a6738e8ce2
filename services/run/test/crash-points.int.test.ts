import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startAudit } from '@order-automation/audit';
import type { Bus } from '@order-automation/bus';
import { awaitingPayment, type Message, message, type RuleData } from '@order-automation/contracts';
import { startEvaluation } from '@order-automation/evaluation';
import { startRules } from '@order-automation/rules';
import { createMetrics, type Service, type ServiceDeps, secret } from '@order-automation/service';
import { startShop } from '@order-automation/shop';
import { buildEvent, describeLanes, type Lane, type LaneDeps, settableClock, waitFor } from '@order-automation/testing';
import { SMTPServer } from 'smtp-server';
import { type Death, mortal } from './mortal';

const note = { id: 'add_order_note', settings: { note_text: 'Paid' } };
const meta = { id: 'set_order_meta', settings: { key: 'paid_by', value: 'card' } };
const tag = { id: 'add_order_tag', settings: { tag: 'paid' } };
const mail = { id: 'send_email', settings: { to: 'a@example.com', subject: 'Paid', body: 'Thanks' } };

type Call = { readonly headers: IncomingHttpHeaders };
type Entry = { readonly uid: string; readonly facet: string; readonly summary: string };
type LogRecord = { readonly _id: number; readonly process_id: string; readonly uid: string; readonly entries: Entry[] };
type Order = { status: string; tags?: string[]; meta_data: { key: string; value: unknown }[]; notes: unknown[] };

/** What every run must leave behind, wherever the process died. */
describeLanes('evaluation dies, stands still, or is refused, at each step of an event', (lane) => {
  const mails: string[] = [];
  const calls: Call[] = [];
  let smtp: SMTPServer;
  let receiver: Server;
  let run = 0;

  beforeAll(async () => {
    smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData: (stream, _session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          mails.push(/^Message-ID: *(.*)$/im.exec(Buffer.concat(chunks).toString())?.[1] ?? '');
          done();
        });
      },
    });
    await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
    receiver = createServer((request, response) => {
      calls.push({ headers: request.headers });
      request.resume().on('end', () => response.writeHead(200).end());
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await new Promise<void>((resolve) => smtp.close(() => resolve()));
    await new Promise((resolve) => receiver.close(resolve));
  });

  /** Runs one event with an instance that dies as told and another that finds what it left. Resolves with how many steps the first one made. */
  async function live(death: Death): Promise<number> {
    run += 1;
    mails.length = 0;
    calls.length = 0;
    const world = await startWorld(lane, run, {
      smtp: (smtp.server.address() as AddressInfo).port,
      hook: (receiver.address() as AddressInfo).port,
    });
    const { clock, bus, evaluation, publish, done, close } = world;
    const victim = mortal(evaluation.deps, death);
    const first = await evaluation.start(victim.deps);
    await publish();
    const untouched = async () => done() && (await world.settled());
    await waitFor(async () => victim.hasEnded() || (await untouched()), {
      timeout: 60_000,
      describe: JSON.stringify(death),
    });
    const second = await evaluation.start({ ...evaluation.deps, bus }, death.kind === 'dies');
    if (death.kind === 'dies') void first.close().catch(() => undefined);
    clock.advance(61_000);
    const settled = async () => {
      await publish();
      return done() && (await world.settled());
    };
    await waitFor(settled, { timeout: 60_000, every: 100, describe: `the end of ${JSON.stringify(death)}` });
    victim.goOn();
    await victim.idle();
    await waitFor(settled, { timeout: 60_000, every: 100, describe: `the end after ${JSON.stringify(death)}` });
    await expectOnce(world, death);
    await Promise.allSettled([first.close(), second.close()]);
    await close();
    return victim.steps();
  }

  async function expectOnce({ order, entries }: World, death: Death): Promise<void> {
    const at = JSON.stringify(death);
    const { status, tags, meta_data, notes } = await order();
    expect([at, status, tags, notes.length]).toEqual([at, 'completed', ['paid', 'followed'], 1]);
    expect(meta_data.filter(({ key }) => key === 'paid_by')).toHaveLength(1);
    for (const keys of [mails, calls.map(({ headers }) => String(headers['idempotency-key']))]) {
      expect([at, keys.length >= 1 && keys.length <= 2, new Set(keys).size]).toEqual([at, true, 1]);
    }
    const logged = await entries();
    expect(logged.filter(({ facet }) => / (error|warning) /.test(facet)).map(({ summary }) => [at, summary])).toEqual(
      [],
    );
    const of = (type: string) => logged.filter(({ facet }) => facet.split(' ')[2] === type);
    expect(new Set(logged.map(({ uid }) => uid)).size).toBe(logged.length);
    expect([at, of('process_completed').length, of('rule_evaluation').length]).toEqual([at, 2, 2]);
    expect([at, of('webhook_received').length, of('order_status_changed').length]).toEqual([at, 1, 1]);
    // Seven actions; of the e-mail and the call that they are queued, and that they were delivered.
    expect([at, of('action_executed').length]).toEqual([at, 9]);
  }

  /** In the suite some of the steps, on the distributed lane fewer: the stand-in of MongoDB takes seconds for one run. CRASH_POINTS=all: all of them. */
  const stride = process.env.CRASH_POINTS === 'all' ? 1 : lane.name === 'embedded' ? 5 : 14;

  test('at each write and each message: effects once, calls at most twice with one key, the log true', async () => {
    const steps = await live({ kind: 'never', at: 0 });
    expect(steps).toBeGreaterThan(10);
    for (let at = 1; at <= steps; at += stride)
      for (const kind of ['dies', 'stands'] as const) {
        await live({ kind, at, arrived: false });
        await live({ kind, at, arrived: true });
      }
  }, 1_200_000);

  test('at each read, write and message that fails once, heard or not: the same', async () => {
    const steps = await live({ kind: 'fails', at: 0, arrived: false });
    expect(steps).toBeGreaterThan(14);
    for (let at = 1; at <= steps; at += stride) {
      await live({ kind: 'fails', at, arrived: false });
      await live({ kind: 'fails', at, arrived: true });
    }
  }, 1_200_000);
});

type World = Awaited<ReturnType<typeof startWorld>>;

/** Shop, rules and log, one order, one rule with every kind of effect and one that follows from it, and how evaluation is started beside them. */
async function startWorld(lane: Lane, run: number, ports: { readonly smtp: number; readonly hook: number }) {
  const clock = settableClock();
  const bus = await lane.bus(`crash${run}`);
  const opened: LaneDeps[] = [];
  const depsOf = async (name: string): Promise<LaneDeps> => {
    const deps = { ...(await lane.deps({ bus, database: `${name}${run}`, clock })), metrics: createMetrics(name) };
    opened.push(deps);
    return deps;
  };
  const [shopDeps, rulesDeps, auditDeps, deps] = [
    await depsOf('shop'),
    await depsOf('rules'),
    await depsOf('audit'),
    await depsOf('evaluation'),
  ];
  const secretKey = secret([Buffer.alloc(32, 7)]);
  const services: Service[] = [
    await startAudit(auditDeps, { secretKey, retention: 90 * 86_400_000 }),
    await startShop(shopDeps, { demoShop: false, timeZone: 'UTC' }),
    await startRules(rulesDeps, { extensions: [] }),
  ];
  const cause = { process_id: 'proc_setup', depth: 0, author: 'admin' } as const;
  const fields = { status: 'pending', total: '49.00', currency: 'EUR' };
  await bus.request('shop.order.save.v1', { id: 42, fields, cause });
  await createRule(bus, ports.hook);
  let done = 0;
  await bus.subscribe('evaluation.events-done.v1', 'test', async (messages) => {
    done += messages
      .flatMap(({ data }) => data.events)
      .filter(({ event_id }) => event_id === received.data.event.id).length;
  });
  const received = eventMessage(clock.now());
  const config = {
    extensions: [],
    orderWait: 3_600_000,
    timeZone: 'UTC',
    awaitingPayment,
    giveUpAfter: 3_600_000,
    retention: 90 * 86_400_000,
    secretKey,
    outboundAllow: { hosts: ['127.0.0.1'], subnets: [] },
    smtpUrl: secret(`smtp://127.0.0.1:${ports.smtp}`),
    smtpFrom: 'Shop <shop@example.com>',
  };
  const deliveries = await deps.store.collection<{ _id: string; state: string; due?: number }>('deliveries');
  const evaluations = await deps.store.collection<{ _id: string; state: string }>('evaluations');
  const documents = await auditDeps.store.collection<LogRecord>('records');
  return {
    clock,
    bus,
    evaluation: {
      deps: deps as ServiceDeps,
      start: (own: ServiceDeps, isOnlyInstance = false) =>
        startEvaluation({ ...own, metrics: createMetrics('e') }, { ...config, isOnlyInstance }),
    },
    /** As intake does until it hears that the event is done. */
    publish: () => (done > 0 ? Promise.resolve() : bus.publish(received as Message)),
    done: () => done > 0,
    /** The event and the change of the order that it led to. */
    settled: async () =>
      (await deliveries.countDocuments({ state: 'delivered', due: { $exists: false } })) === 2 &&
      (await evaluations.countDocuments({ state: 'done' })) === 2,
    order: async () => (await bus.request('shop.order.view.v1', { id: 42 })).order as unknown as Order,
    entries: async () => {
      const records = await documents.find({ process_id: received.data.process_id }).toArray();
      return records.flatMap(({ uid, entries }) => entries.map((entry) => ({ ...entry, uid: uid + entry.uid })));
    },
    close: async () => {
      for (const service of services.reverse()) await service.close();
      for (const one of opened) await one.close();
      await bus.close();
    },
  };
}

async function createRule(bus: Bus, hook: number): Promise<void> {
  const call = { id: 'send_webhook', settings: { url: `http://127.0.0.1:${hook}/hook` } };
  const rule: RuleData = {
    trigger: { id: 'payment_complete', settings: {} },
    conditions: [],
    primaryAction: { id: 'change_status_to_completed', settings: { send_emails: false, update_stock: false } },
    secondaryActions: [note, meta, tag, mail, call],
  };
  const actor = { user: 'test', process_id: 'proc_setup', action: null, user_agent: null, page_url: null };
  const changes = { name: 'Everything', enabled: true, rule };
  await bus.request('rules.rule.create.v1', { changes, edition: 'extended', actor });
  const follow: RuleData = {
    trigger: { id: 'order_completed', settings: {} },
    conditions: [],
    primaryAction: null,
    secondaryActions: [{ id: 'add_order_tag', settings: { tag: 'followed' } }],
  };
  const following = { name: 'Follows', enabled: true, rule: follow };
  await bus.request('rules.rule.create.v1', { changes: following, edition: 'extended', actor });
}

function eventMessage(now: number) {
  const event = buildEvent({
    transactionID: 'pi_1',
    receivedAt: new Date(now).toISOString(),
    orderReference: { gateway_ids: [], order_id: '42', transaction_id: 'pi_1' },
  });
  const data = { process_id: 'proc_event', event, webhook: { connection: null, body_bytes: 2, metadata: {} } };
  return message('intake.event-received.v1', data, { id: event.id, process_id: data.process_id, now });
}
