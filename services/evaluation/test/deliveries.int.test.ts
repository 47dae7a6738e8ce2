import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type DeliveryFilter, type EventReceived, message } from '@order-automation/contracts';
import { createMetrics, type Service, secret } from '@order-automation/service';
import {
  buildRule,
  buildRuleData,
  describeLanes,
  type LaneDeps,
  settableClock,
  waitFor,
} from '@order-automation/testing';
import { SMTPServer } from 'smtp-server';
import { Webhook } from 'standardwebhooks';
import { expectUsesIndex } from '../../../shared/store/test/explain';
import { recordedQueries } from '../../../shared/store/test/recorded-queries';
import { type EvaluationConfig, startEvaluation } from '../src';
import { filterOf, openDeliveries } from '../src/deliveries/document';
import { openResendJobs } from '../src/deliveries/resend-jobs';
import { type Peers, received, startPeers, testConfig } from './peers';

const email = {
  id: 'send_email',
  settings: { to: '{{customer.email}}', subject: 'Order {{order.number}}', body: 'Thanks\n<b>' },
};

const complete = { id: 'change_status_to_completed', settings: { send_emails: true, update_stock: false } };

type Call = { readonly headers: IncomingHttpHeaders; readonly body: string };

describeLanes('evaluation: e-mails and calls', (lane) => {
  const mails: string[] = [];
  const calls: Call[] = [];
  /** 0: the connection is cut. */
  let answer = 200;
  let said = '';
  let smtp: SMTPServer;
  let receiver: Server;
  let clock = settableClock();
  let deps: LaneDeps;
  let peers: Peers;
  let service: Service | undefined;
  let database = 0;

  beforeAll(async () => {
    smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo: ({ address }, _session, done) =>
        done(
          address.startsWith('nobody@') ? Object.assign(new Error('no such user'), { responseCode: 550 }) : undefined,
        ),
      onData: (stream, _session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          mails.push(Buffer.concat(chunks).toString());
          done();
        });
      },
    });
    await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
    receiver = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        calls.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
        if (answer === 0) request.socket.destroy();
        else response.writeHead(answer).end(said);
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await new Promise<void>((resolve) => smtp.close(resolve));
    await new Promise((resolve) => receiver.close(resolve));
  });
  beforeEach(async () => {
    database += 1;
    mails.length = 0;
    calls.length = 0;
    answer = 200;
    said = '';
    clock = settableClock();
    deps = await lane.deps({ database: `e${database}`, clock });
    peers = await startPeers(deps.bus);
  });
  afterEach(() => service?.close());

  const portOf = ({ server }: { server: { address(): unknown } }) => (server.address() as AddressInfo).port;
  const hook = () => `http://127.0.0.1:${portOf({ server: receiver })}/hook`;
  const start = async (action: unknown, config: Partial<EvaluationConfig> = {}): Promise<void> => {
    const rule = buildRule({
      id: 1,
      rule: buildRuleData(
        action === complete
          ? { conditions: [], primaryAction: complete, secondaryActions: [] }
          : { conditions: [], primaryAction: null, secondaryActions: [action as typeof email] },
      ),
    });
    peers.rules = [rule];
    service = await startEvaluation({ ...deps, metrics: createMetrics('evaluation') }, testConfig(config));
  };
  const send = async (data: EventReceived): Promise<void> => {
    const { process_id } = data;
    await deps.bus.publish(
      message('intake.event-received.v1', data, { id: data.event.id, process_id, now: Date.now() }),
    );
    await waitFor(() => peers.done.some(({ event_id }) => event_id === data.event.id), { timeout: 30_000 });
  };
  const actions = () =>
    [...peers.entries.values()]
      .filter(({ event_type }) => event_type === 'action_executed' || event_type === 'dead_lettered')
      .map(({ event_type, status, summary }) => [event_type, status, summary]);
  const listed = async (filter: DeliveryFilter = {}) =>
    (await deps.bus.request('evaluation.delivery.list.v1', { filter, page: 1, per_page: 200 })).deliveries;
  const attemptsOf = async (id = '') =>
    (await deps.bus.request('evaluation.delivery.get.v1', { id })).delivery.attempts;
  /** Time passes until the condition holds. */
  const until = (condition: () => Promise<boolean> | boolean, step = 5_000) =>
    waitFor(
      () => {
        clock.advance(step);
        return condition();
      },
      { timeout: 60_000 },
    );
  const allow = { outboundAllow: { hosts: ['127.0.0.1'], subnets: [] } };

  it('sends one e-mail over SMTP, as text and HTML, however often the event is delivered', async () => {
    const mail = { smtpUrl: secret(`smtp://127.0.0.1:${portOf(smtp)}`), smtpFrom: 'Shop <shop@example.com>' };
    await start(email, mail);
    const data = received('pi_mail');
    await send(data);
    await send(data);
    await waitFor(() => actions().length === 2, { timeout: 30_000 });
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatch(/^From: Shop <shop@example.com>/m);
    expect(mails[0]).toMatch(/^Subject: Order/m);
    expect(mails[0]).toContain('multipart/alternative');
    expect(mails[0]).toContain('<p>Thanks<br>&lt;b&gt;</p>');
    const [{ id } = { id: '' }] = await listed();
    const { delivery } = await deps.bus.request('evaluation.delivery.get.v1', { id });
    expect(delivery.request).toMatch(/^To: \S+@\S+\nSubject: Order.*\n\nThanks/);
    expect(actions()).toMatchObject([
      ['action_executed', 'pending', expect.stringContaining('is being sent')],
      ['action_executed', 'success', expect.stringContaining('was sent')],
    ]);
  });

  it('the log calls a recipient whom the mail server refuses a failure, and nobody gets the e-mail twice', async () => {
    const mail = { smtpUrl: secret(`smtp://127.0.0.1:${portOf(smtp)}`), smtpFrom: 'Shop <shop@example.com>' };
    const to = 'desk@shop.example, nobody@shop.example';
    await start({ id: 'send_email', settings: { to, subject: 'Order', body: 'Thanks' } }, mail);
    await send(received('pi_rejected'));
    await waitFor(() => actions().length === 2, { timeout: 30_000 });
    expect(mails).toHaveLength(1);
    expect(actions().at(-1)?.[1]).toBe('error');
    expect(actions().at(-1)?.[2]).toContain('refused nobody@shop.example (550); the other recipients have the e-mail');
  });

  it('without a mail server the e-mail is skipped, and the log says so', async () => {
    await start(email);
    await send(received('pi_nomail'));
    expect(actions()).toMatchObject([
      ['action_executed', 'skipped', expect.stringContaining('no mail server is configured')],
    ]);
  });

  it('sends the shop’s e-mail about a status once, however often the event is delivered and the shop answers', async () => {
    await start(complete, { smtpUrl: secret(`smtp://127.0.0.1:${portOf(smtp)}`), smtpFrom: 'Shop <shop@example.com>' });
    await send(received('pi_status'));
    await send(received('pi_status'));
    await waitFor(() => actions().length === 2, { timeout: 30_000 });
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatch(/^Subject: Order 42 is complete/m);
    expect(actions()).toMatchObject([
      ['action_executed', 'success', expect.stringMatching(/Done\. An e-mail to .* is being sent/)],
      ['action_executed', 'success', expect.stringContaining('was sent')],
    ]);
  });

  it('without a mail server the status changes, and the log says that no e-mail was sent', async () => {
    await start(complete);
    await send(received('pi_status_nomail'));
    expect(actions()).toMatchObject([
      ['action_executed', 'success', expect.stringContaining('E-mail not sent: no mail server is configured')],
    ]);
  });

  it('calls with the signature of Standard Webhooks and an idempotency key', async () => {
    const settings = { url: hook(), secret_ref: 'erp', event: 'order.paid' };
    await start({ id: 'send_webhook', settings }, allow);
    const { value } = await deps.bus.request('evaluation.secret.put.v1', { name: 'erp', value: null });
    const urls = ['http://10.0.0.1/hook', 'https://shop.example/hook'];
    const check = { urls, secret_refs: ['erp', 'gone'] };
    expect(await deps.bus.request('evaluation.sending.check.v1', check)).toMatchObject({
      missing_secrets: ['gone'],
      refused_urls: [{ url: urls[0] }],
    });
    await send(received('pi_hook'));
    await waitFor(() => actions().some(([, status]) => status === 'success'), { timeout: 30_000 });
    const [call] = calls as [Call];
    const verified = new Webhook(value ?? '').verify(call.body, call.headers as Record<string, string>);
    expect(verified).toMatchObject({ type: 'order.paid', data: { order: { id: 42 }, rule: { id: 1 } } });
    expect(call.headers['idempotency-key']).toEqual(expect.any(String));
    const { secrets } = await deps.bus.request('evaluation.secret.list.v1', {});
    expect(secrets).toMatchObject([{ name: 'erp', last4: value?.slice(-4) }]);
    const stored = await deps.store.collection<{ _id: string; sealed: string }>('secrets');
    expect(JSON.stringify(await stored.find({}).toArray())).not.toContain(value);
  });

  it('a receiver that is down gets the call once when it is back, with the same key', async () => {
    answer = 503;
    await start({ id: 'send_webhook', settings: { url: hook() } }, allow);
    await send(received('pi_down'));
    await waitFor(
      () => {
        clock.advance(5_000);
        return calls.length >= 3;
      },
      { timeout: 30_000 },
    );
    answer = 200;
    await waitFor(
      () => {
        clock.advance(5_000);
        return actions().some(([, status]) => status === 'success');
      },
      { timeout: 30_000 },
    );
    expect(new Set(calls.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  it('a log that is unavailable after the delivery causes no second call', async () => {
    await start({ id: 'send_webhook', settings: { url: hook() } }, allow);
    let refused = 0;
    peers.auditRefuses = (uid) => {
      const isDelivery = uid.endsWith(':delivered');
      if (isDelivery) refused += 1;
      return isDelivery;
    };
    await send(received('pi_unlogged'));
    await waitFor(
      () => {
        clock.advance(5_000);
        return refused >= 3;
      },
      { timeout: 30_000 },
    );
    expect(calls).toHaveLength(1);
    peers.auditRefuses = () => false;
    await waitFor(
      async () => {
        clock.advance(5_000);
        return actions().length === 2;
      },
      { timeout: 30_000 },
    );
    expect(calls).toHaveLength(1);
    expect(actions().at(-1)).toMatchObject(['action_executed', 'success', expect.any(String)]);
  });

  it('does not call private addresses, which the log and the list say, and gives up what the receiver refuses', async () => {
    await start({ id: 'send_webhook', settings: { url: hook() } });
    await send(received('pi_private'));
    await waitFor(
      () => {
        clock.advance(10_000);
        return actions().some(([type]) => type === 'dead_lettered');
      },
      { timeout: 30_000 },
    );
    expect(calls).toEqual([]);
    const reason = 'Nothing was sent. The address is not a public one. OUTBOUND_ALLOW opens private addresses.';
    expect(actions().at(-1)?.[2]).toContain(`given up: ${reason}`);
    expect(await listed()).toMatchObject([{ state: 'failed', attempts_made: 0, reason }]);
  });

  it('an action of a test event is not carried out, and the event counts for no rule', async () => {
    await start({ id: 'send_webhook', settings: { url: hook() } }, allow);
    const data = received('pi_test');
    await send({ ...data, event: { ...data.event, isTest: true } });
    expect(actions()).toMatchObject([['action_executed', 'skipped', expect.stringContaining('this is a test')]]);
    expect(calls).toEqual([]);
    expect(peers.done).toMatchObject([{ rules: [], matched: [], failed: [] }]);
  });

  describe('their records', () => {
    const call = { id: 'send_webhook', settings: { url: '' } };
    const startCalling = async (config: Partial<EvaluationConfig> = {}): Promise<void> => {
      call.settings.url = `${hook()}?token=hidden`;
      await start(call, { ...allow, holdFor: 200, ...config });
    };

    it('a receiver that fails for a while and heals gets every call once, and the list is true all the time', async () => {
      await startCalling();
      const events = Array.from({ length: 20 }, (_, index) => received(`pi_heal_${index}`));
      answer = 503;
      said = `closed ${'x'.repeat(5_000)}`;
      for (const event of events.slice(0, 10)) await send(event);
      await until(() => calls.length >= 12, 1_000);
      answer = 0;
      for (const event of events.slice(10)) await send(event);
      const waiting = await listed();
      expect(waiting).toHaveLength(20);
      expect(new Set(waiting.map(({ state }) => state))).toEqual(new Set(['pending']));
      await until(async () => (await listed()).every(({ reason }) => reason !== null), 1_000);
      for (const { next_attempt_at, target, reason } of await listed()) {
        expect(Date.parse(next_attempt_at ?? '')).toBeGreaterThan(Date.parse('2000-01-01'));
        expect(target).toBe(hook());
        expect(reason).not.toContain('hidden');
      }
      const tried = (await listed()).find(({ attempts_made }) => attempts_made >= 2);
      const attempts = await attemptsOf(tried?.id);
      expect(attempts).toHaveLength(tried?.attempts_made ?? 0);
      expect(attempts[0]).toMatchObject({ took_ms: expect.any(Number), error: expect.any(String) });
      const answered = attempts.find(({ status }) => status === 503);
      expect(answered?.answer === undefined ? 2048 : answered.answer?.length).toBe(2048);
      const before = calls.length;
      answer = 200;
      said = 'thanks';
      await until(async () => (await listed({ state: 'delivered' })).length === 20, 1_000);
      const keys = calls.slice(before).map(({ headers }) => headers['idempotency-key']);
      expect([...keys].sort()).toEqual([...new Set(keys)].sort());
      expect(keys).toHaveLength(20);
      for (const { id, attempts_made } of await listed()) {
        const made = await attemptsOf(id);
        expect(made).toHaveLength(Math.min(attempts_made, 30));
        expect(made.map(({ status }) => status === 200)).toEqual(made.map((_, at) => at === made.length - 1));
      }
      await until(() => actions().filter(([, status]) => status === 'success').length === 20, 1_000);
      const lines = [...peers.entries.values()].map(({ process_id, summary }) => `${process_id} ${summary}`);
      expect(lines).toHaveLength(new Set(lines).size);
    });

    it('counts what has been in the queue for more than ten minutes, by host; a resend begins the time again', async () => {
      await startCalling();
      answer = 503;
      const figures = () => deps.bus.request('evaluation.figures.get.v1', {});
      const nothing = { total: 0, since: null, hosts: [] };
      for (const name of ['pi_stuck_1', 'pi_stuck_2']) await send(received(name));
      expect(await figures()).toEqual({ pending: 2, failed: 0, stuck: nothing });
      clock.advance(11 * 60_000);
      const { stuck } = await figures();
      const host = new URL(hook()).host;
      expect(stuck).toEqual({
        total: 2,
        since: expect.any(String),
        hosts: [{ host: expect.any(String), total: 2, since: stuck.since }],
      });
      expect(host).toContain(stuck.hosts[0]?.host);
      const [first] = await listed();
      await deps.bus.request('evaluation.delivery.resend.v1', { id: first?.id ?? '' });
      expect((await figures()).stuck.total).toBe(1);
      answer = 200;
      await until(async () => (await figures()).pending === 0, 1_000);
      expect(await figures()).toEqual({ pending: 0, failed: 0, stuck: nothing });
    });

    it('says in the log that it waits, why, and when it is tried next; the process counts it as open', async () => {
      await startCalling();
      answer = 503;
      await send(received('pi_open'));
      await waitFor(() => [...peers.entries.values()].some(({ event_type }) => event_type === 'retry_scheduled'));
      const logged = [...peers.entries.values()];
      expect(logged.find(({ event_type }) => event_type === 'process_completed')).toMatchObject({
        status: 'pending',
        summary: expect.stringContaining('0 of 1 action done, 1 still to be delivered'),
        details: { actions_open: 1 },
      });
      expect(logged.find(({ event_type }) => event_type === 'retry_scheduled')).toMatchObject({
        status: 'pending',
        summary: expect.stringMatching(/answered 503\. It is not delivered yet; the next attempt is at 20/),
      });
    });

    it('an unreachable host is given up after EFFECT_PATIENCE too: a dead letter, once, with what was tried', async () => {
      await startCalling({ giveUpAfter: 60_000 });
      answer = 0;
      await send(received('pi_gone'));
      await until(async () => (await listed({ state: 'failed' })).length === 1, 2_000);
      const [failed] = await listed({ state: 'failed' });
      const attempts = await attemptsOf(failed?.id);
      expect(attempts).toHaveLength(calls.length);
      expect(failed).toMatchObject({ attempts_made: calls.length, next_attempt_at: null });
      const waited = Date.parse(attempts.at(-1)?.at ?? '') - Date.parse(failed?.created_at ?? '');
      // The clock may be moved on by two seconds while the last attempt is made, which is dated by its beginning.
      expect(waited).toBeGreaterThanOrEqual(58_000);
      await waitFor(() => actions().some(([type]) => type === 'dead_lettered'));
      expect(actions().at(-1)?.[2]).toContain(`given up after ${calls.length} attempts`);
    });

    it('a replay of the event arms again what failed, under the same key', async () => {
      await startCalling();
      answer = 400;
      const event = received('pi_replayed');
      await send(event);
      await until(async () => (await listed({ state: 'failed' })).length === 1);
      answer = 200;
      const replay = received('pi_replayed');
      await send(replay);
      await until(async () => (await listed({ state: 'delivered' })).length === 1);
      expect(new Set(calls.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
      expect(await listed({ process_id: replay.process_id })).toMatchObject([{ attempts_made: 6, resends: 0 }]);
      await send(received('pi_replayed'));
      expect(calls).toHaveLength(6);
    });

    it('one is sent again by an administrator: it says so, keeps its key, and the log knows who', async () => {
      await startCalling();
      await send(received('pi_again'));
      await until(async () => (await listed({ state: 'delivered' })).length === 1);
      const [delivered] = await listed();
      const { delivery } = await deps.bus.request('evaluation.delivery.resend.v1', {
        id: delivered?.id ?? '',
        by: 'ada',
      });
      expect(delivery).toMatchObject({ state: 'pending', resends: 1, resent_by: 'ada' });
      await until(() => actions().length === 3);
      expect(calls.map(({ headers }) => headers['x-resend'])).toEqual([undefined, '1']);
      expect(new Set(calls.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
      expect(actions().at(-1)?.[2]).toContain('(resend 1, by ada)');
      const resent = [...peers.entries.values()].filter(({ event_type }) => event_type === 'delivery_resent');
      expect(resent).toMatchObject([{ summary: expect.stringContaining('ada sends it again'), source: 'manual' }]);
      const missing = deps.bus.request('evaluation.delivery.resend.v1', { id: 'dlv_none' });
      await expect(missing).rejects.toMatchObject({ status: 404, code: 'svc_delivery_not_found' });
    });

    it('many are sent again by a job: counted first, with progress, through a restart, each once', async () => {
      await startCalling({ holdFor: 50 });
      answer = 410;
      const events = Array.from({ length: 60 }, (_, index) => received(`pi_many_${index}`));
      await Promise.all(events.map(send));
      await until(async () => (await listed({ state: 'failed' })).length === 60);
      const ask = { filter: { rule_id: 1 }, by: 'ada' };
      expect(await deps.bus.request('evaluation.deliveries.resend.v1', { ...ask, preview: true })).toEqual({
        matching: 60,
      });
      answer = 200;
      calls.length = 0;
      const { job } = await deps.bus.request('evaluation.deliveries.resend.v1', { ...ask, preview: false });
      expect(job).toMatchObject({ state: 'running', matching: 60, by: 'ada', filter: { rule_id: 1, state: 'failed' } });
      await service?.close();
      service = await startEvaluation(
        { ...deps, metrics: createMetrics('evaluation') },
        testConfig({ ...allow, holdFor: 50 }),
      );
      clock.advance(60_000);
      const jobNow = async () => (await deps.bus.request('evaluation.resend-job.get.v1', { id: job?.id ?? '' })).job;
      await until(async () => (await jobNow()).state === 'done');
      await until(async () => (await listed({ state: 'delivered' })).length === 60);
      expect(await jobNow()).toMatchObject({ resent: 60 });
      expect(new Set(calls.map(({ headers }) => headers['idempotency-key'])).size).toBe(60);
      expect((await deps.bus.request('evaluation.resend-job.list.v1', {})).jobs).toHaveLength(1);
      const again = await deps.bus.request('evaluation.deliveries.resend.v1', { ...ask, preview: false });
      expect(again).toEqual({ matching: 0 });
    });

    it('erasing a person removes what was sent about them, and nothing else', async () => {
      await startCalling();
      peers.auditRefuses = (uid) => uid.endsWith(':delivered');
      await send(received('pi_erased'));
      await until(async () => (await listed({ state: 'delivered' })).length === 1);
      const erase = (address: string) =>
        deps.bus.request('evaluation.person.erase.v1', { email: address, customer_id: null });
      const address = peers.orders.get(42)?.order.billing.email ?? '';
      // The entry that the log has not taken yet is about the person too.
      expect(await erase(address)).toMatchObject({ erased: 0, unfinished: 1 });
      peers.auditRefuses = () => false;
      await until(() => actions().length === 2);
      const { documents } = await openDeliveries(deps.store);
      await until(async () => (await documents.findOne({}))?.entry === null);
      expect(await erase('somebody@else.example')).toMatchObject({ erased: 0, unfinished: 0 });
      expect(await erase(address.toUpperCase())).toMatchObject({ erased: 1, unfinished: 0 });
      const stored = await deps.store.collection<{ _id: string }>('deliveries');
      expect(JSON.stringify(await stored.find({}).toArray())).not.toContain(address);
      const [erased] = await listed();
      const resent = deps.bus.request('evaluation.delivery.resend.v1', { id: erased?.id ?? '' });
      await expect(resent).rejects.toMatchObject({ status: 409, code: 'svc_delivery_erased' });
      await send(received('pi_erased'));
      expect(calls).toHaveLength(1);
    });

    it('they are kept as long as the log; the key that was used is known for longer', async () => {
      await startCalling();
      await send(received('pi_old'));
      await until(async () => (await listed({ state: 'delivered' })).length === 1);
      const deliveries = await openDeliveries(deps.store);
      const later = clock.now() + 365 * 86_400_000;
      await deliveries.purge(later, 0);
      expect(await listed()).toMatchObject([{ state: 'delivered', target: '[removed]' }]);
      expect(await deliveries.documents.findOne({})).toMatchObject({ payload: '', attempts: [] });
      await send(received('pi_old'));
      expect(calls).toHaveLength(1);
      await deliveries.purge(later, later);
      expect(await listed()).toEqual([]);
    });

    it('what a clock that ran ahead has put off is sent when it is right', async () => {
      await startCalling();
      answer = 503;
      await send(received('pi_ahead'));
      const { documents } = await openDeliveries(deps.store);
      await waitFor(async () => (await documents.findOne({}))?.attempts_made === 1);
      const later = clock.now() + 400 * 24 * 60 * 60_000;
      await documents.updateOne({}, { $set: { due: later, next_attempt_at: later } });
      answer = 200;
      await waitFor(async () => (await documents.findOne({}))?.state === 'delivered', { timeout: 30_000 });
    });

    it('each query walks an index', async () => {
      const { store, sent } = recordedQueries(deps.store);
      const deliveries = await openDeliveries(store);
      await deliveries.due(1, 5, 0);
      await deliveries.byKey('key');
      await deliveries.hurry('erp.example.com', 1);
      await deliveries.pendingChannelAfter('');
      await deliveries.queuedBefore(1, 'erp.example.com');
      await deliveries.purge(1, 1);
      for (const filter of [{ state: 'failed' }, { order_id: 42 }, { process_id: 'proc_1' }, { rule_id: 1 }] as const)
        await deliveries.newest(filterOf(filter), 0, 5);
      await (await openResendJobs(store)).due(1, 5);
      expect(sent.length).toBeGreaterThan(14);
      for (const { documents, filter, sort } of sent) await expectUsesIndex(deps.store, documents, filter, sort);
    });
  });
});
