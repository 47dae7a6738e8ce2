import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type EventReceived, message } from '@order-automation/contracts';
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
import { type EvaluationConfig, startEvaluation } from '../src';
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
  let answer = 200;
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
        response.writeHead(answer).end();
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
      .filter(({ event_type }) => event_type === 'action_executed' || event_type === 'action_failed')
      .map(({ event_type, status, summary }) => [event_type, status, summary]);
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
    expect(actions()).toMatchObject([
      ['action_executed', 'pending', expect.stringContaining('is being sent')],
      ['action_executed', 'success', expect.stringContaining('was sent')],
    ]);
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
      const isDelivery = uid.endsWith(':success');
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

  it('does not call private addresses, and gives up what the receiver refuses', async () => {
    await start({ id: 'send_webhook', settings: { url: hook() } });
    await send(received('pi_private'));
    await waitFor(
      () => {
        clock.advance(10_000);
        return actions().some(([type]) => type === 'action_failed');
      },
      { timeout: 30_000 },
    );
    expect(calls).toEqual([]);
    expect(actions().at(-1)?.[2]).toContain('Given up after 5 tries: The address is not a public one.');
  });

  it('an action of a test event is not carried out', async () => {
    await start({ id: 'send_webhook', settings: { url: hook() } }, allow);
    const data = received('pi_test');
    await send({ ...data, event: { ...data.event, isTest: true } });
    expect(actions()).toMatchObject([['action_executed', 'skipped', expect.stringContaining('this is a test')]]);
    expect(calls).toEqual([]);
  });
});
