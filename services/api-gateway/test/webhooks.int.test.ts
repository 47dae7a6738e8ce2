import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describeLanes, type LaneDeps, waitFor } from '@order-automation/testing';
import { Registry } from 'prom-client';
import { openMissedWebhooks } from '../src/collections/missed-webhooks';
import { asAdmin, type Running, send, startGateway } from './gateway';
import { accepted, type Peers, startPeers } from './peers';

const path = '/v1/webhooks/gateway_card';

describeLanes('webhooks at the edge', (lane) => {
  let deps: LaneDeps;
  let running: Running;

  beforeAll(async () => {
    deps = await lane.deps();
    running = await startGateway(deps);
  });
  afterAll(async () => {
    await running.gateway.close();
    await deps.close();
  });
  beforeEach(() => {
    running.peers.webhooks.length = 0;
    running.peers.groups.length = 0;
    running.peers.intake.receive = accepted;
  });

  const post = (to: string, raw: string | Uint8Array, headers: Record<string, string> = {}) =>
    send(running.base, 'POST', to, { raw, headers });
  const only = () => {
    const [webhook] = running.peers.webhooks;
    expect(running.peers.webhooks).toHaveLength(1);
    if (!webhook) throw new Error('no webhook');
    return webhook;
  };

  test('an accepted one: the documented body, and the process id that intake was given', async () => {
    const reply = await post(path, '{"id":"evt_1"}', {
      'card-signature': 't=1,v1=ab',
      'content-type': 'application/json',
    });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      success: true,
      message: '1 event processed',
      events_processed: 1,
      process_id: expect.stringMatching(/^proc_[0-9A-HJKMNP-TV-Z]{26}$/),
      execution_time: expect.stringMatching(/^\d+ms$/),
    });
    const webhook = only();
    expect(webhook.process_id).toBe(reply.body.process_id);
    expect(webhook).toMatchObject({ gateway: 'gateway_card', connection: null, refused: null });
    expect(webhook.headers).toMatchObject({ 'card-signature': ['t=1,v1=ab'], 'content-type': ['application/json'] });
  });

  test('bytes arrive as they were sent', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    await post(path, new Uint8Array([0xef, 0xbb, 0xbf, ...bytes]));
    expect(Buffer.from(only().body)).toEqual(Buffer.from([0xef, 0xbb, 0xbf, ...bytes]));
  });

  test('an empty body is passed on', async () => {
    await post(path, '');
    expect(only()).toMatchObject({ refused: null });
    expect(only().body).toHaveLength(0);
  });

  test('a duplicate says so, with the first process id', async () => {
    running.peers.intake.receive = (webhook) => ({
      ...accepted(webhook),
      process_id: 'proc_first',
      events_processed: 0,
      duplicate: true,
    });
    const { body } = await post(path, '{}');
    expect(body).toMatchObject({ success: true, events_processed: 0, duplicate: true, process_id: 'proc_first' });
  });

  test('one that proves nothing: its address learns what is left; others hear of no limit', async () => {
    const limit = { quota: 500, remaining: 498, reset_seconds: 1 };
    running.peers.intake.receive = (webhook) => ({ ...accepted(webhook), limit });
    const { headers, body } = await post('/v1/webhooks/generic', '{}');
    expect(body).not.toHaveProperty('limit');
    expect(headers.get('ratelimit-policy')).toBe('"unproven";q=500');
    expect(headers.get('ratelimit')).toBe('"unproven";r=498;t=1');
    running.peers.intake.receive = accepted;
    expect((await post(path, '{}')).headers.has('ratelimit')).toBe(false);
  });

  test('a refused one: 200, three keys', async () => {
    running.peers.intake.receive = (webhook) => ({ ...accepted(webhook), success: false, message: 'Not accepted.' });
    const { status, body } = await post(path, '{}');
    expect(status).toBe(200);
    expect(body).toEqual({ success: false, message: 'Not accepted.', process_id: only().process_id });
  });

  test('gateways nobody knows and connections go to intake, which knows', async () => {
    await post('/v1/webhooks/no_such_gateway', '{}');
    await post('/v1/webhooks/generic/erp-1', '{}', { authorization: 'Bearer abc' });
    expect(running.peers.webhooks).toMatchObject([
      { gateway: 'no_such_gateway', connection: null },
      { gateway: 'generic', connection: 'erp-1', headers: { authorization: ['Bearer abc'] } },
    ]);
  });

  test.each([
    ['too large, by Content-Length', 'too_large', {}, 1024 * 1024 + 1],
    ['compressed', 'content_encoding', { 'content-encoding': 'gzip' }, 10],
  ])('%s: refused with a reason that is audited, and without the body', async (_what, reason, headers, size) => {
    running.peers.intake.receive = (webhook) => ({ ...accepted(webhook), success: false, message: 'Refused.' });
    const { status, body } = await post(path, new Uint8Array(size), headers);
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: false });
    expect(only()).toMatchObject({ refused: reason });
    expect(only().body).toHaveLength(0);
  });

  // github.com/strapi/strapi/issues/18062, github.com/expressjs/body-parser/issues/108
  test.each(['UTF-8', 'utf8', 'identity'])('Content-Encoding: %s packs nothing', async (encoding) => {
    await post(path, '{"a":1}', { 'content-encoding': encoding });
    expect(only()).toMatchObject({ refused: null });
    expect(Buffer.from(only().body).toString()).toBe('{"a":1}');
  });

  test('1 MiB exactly is taken', async () => {
    await post(path, new Uint8Array(1024 * 1024));
    expect(only().refused).toBeNull();
    expect(only().body).toHaveLength(1024 * 1024);
  });

  test('many at once travel in groups of at most 64, and each sender gets its own answer', async () => {
    running.peers.intake.receive = async (webhook) => {
      await delay(5);
      return { ...accepted(webhook), message: Buffer.from(webhook.body).toString() };
    };
    const replies = await Promise.all(Array.from({ length: 300 }, (_, index) => post(path, `n${index}`)));
    expect(replies.map(({ body }) => body.message)).toEqual(Array.from({ length: 300 }, (_, index) => `n${index}`));
    expect(new Set(replies.map(({ body }) => body.process_id)).size).toBe(300);
    expect(Math.max(...running.peers.groups)).toBeLessThanOrEqual(64);
    expect(Math.max(...running.peers.groups)).toBeGreaterThan(1);
  });

  test('what intake throws is not shown: 200 success false', async () => {
    running.peers.intake.receive = () => {
      throw new Error('disk /dev/sda1 is broken');
    };
    const { status, body } = await post(path, '{}');
    expect(status).toBe(200);
    expect(body).toEqual({
      success: false,
      message: expect.not.stringContaining('sda1'),
      process_id: expect.any(String),
    });
  });

  test('an intake that cannot store is asked again with the same webhook for as long as a sender waits', async () => {
    running.peers.intake.receive = (webhook) => {
      const isFirst = running.peers.webhooks.length < 3;
      return isFirst ? { ...accepted(webhook), success: false, message: 'No.', unstored: true } : accepted(webhook);
    };
    const { body } = await post(path, '{"whole":1}');
    expect(body).toMatchObject({ success: true });
    const ids = running.peers.webhooks.map(({ process_id }) => process_id);
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(1);
  });

  test('intake that was killed with a webhook in flight: another instance gets the same webhook', async () => {
    let end: () => void = () => undefined;
    const silence = new Promise<void>((resolve) => {
      end = resolve;
    });
    running.peers.intake.receive = async (webhook) => {
      if (running.peers.webhooks.length === 1) await silence;
      return accepted(webhook);
    };
    const { body } = await post(path, '{"whole":1}');
    end();
    expect(body).toMatchObject({ success: true });
    const [first, second] = running.peers.webhooks;
    expect(second).toEqual(first);
  });

  test('a sender who goes away in the middle leaves nothing behind', async () => {
    const socket = connect(running.gateway.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"half":`);
    await delay(50);
    socket.destroy();
    await post(path, '{"whole":1}');
    expect(Buffer.from(only().body).toString()).toBe('{"whole":1}');
  });

  test('other methods: 405 with Allow', async () => {
    for (const [method, to] of [
      ['PATCH', path],
      ['PUT', '/v1/webhooks/generic/erp'],
    ] as const) {
      const reply = await send(running.base, method, to, { json: {} });
      expect(reply).toMatchObject({ status: 405, body: { code: 'rest_method_not_allowed', data: { status: 405 } } });
      expect(reply.headers.get('allow')).toContain('POST');
    }
  });

  test('paths below that are none of these are 404', async () => {
    for (const to of ['/v1/webhooks/generic/a/b', '/v2/webhooks/gateway_card']) {
      expect(await post(to, '{}')).toMatchObject({
        status: 404,
        body: { code: 'rest_no_route', data: { status: 404 } },
      });
    }
  });
});

describeLanes('webhooks while intake is away', (lane) => {
  let deps: LaneDeps;
  let all: LaneDeps;
  beforeAll(async () => {
    all = await lane.deps();
  });
  afterAll(() => all.close());
  beforeEach(() => {
    deps = { ...all, metrics: new Registry() };
  });
  const leaveAll = async (peers: Peers) => {
    for (const type of peers.types()) await peers.leave(type);
  };

  test('the port opens when intake can store, not before; the overview says why it cannot', async () => {
    const peers = await startPeers(deps.bus);
    peers.intake.ready = false;
    let running: Running | undefined;
    const starting = startGateway(deps, {}, peers).then((started) => {
      running = started;
    });
    await waitFor(() => peers.asked('intake.status.v1').length >= 3, { describe: 'three questions to intake' });
    expect(running).toBeUndefined();
    peers.intake.ready = true;
    await starting;
    if (!running) throw new Error('not started');
    expect(await running.gateway.problems?.()).toEqual([]);

    peers.intake.ready = false;
    const { base } = running;
    const warnings = async (path: string) =>
      (await send(base, 'GET', path, { headers: asAdmin })).body.warnings as { text: string }[];
    const text = 'Webhooks cannot be stored now: the disk is full';
    await waitFor(async () => (await warnings('/v1/overview')).some((one) => one.text === text));
    // Health is open to all: why is not for them.
    expect(await warnings('/v1/webhooks/health')).toEqual([]);
    await peers.leave('intake.receive.v1');
    await peers.leave('intake.status.v1');
    const unanswered = await waitFor(async () => {
      const reply = await send(base, 'GET', '/v1/webhooks/health');
      return reply.body.status === undefined && reply;
    });
    expect(unanswered).toMatchObject({ status: 503, body: { code: 'svc_unavailable', data: { status: 503 } } });
    expect(await running.gateway.problems?.()).toEqual([expect.stringContaining('intake')]);
    await running.gateway.close();
    await leaveAll(peers);
  });

  test('the only intake restarts: every webhook is taken, each once by its process id, in a few groups', async () => {
    const before = await startPeers(deps.bus);
    const running = await startGateway(deps, {}, before);
    await leaveAll(before);
    const answers = Array.from({ length: 100 }, (_, index) =>
      send(running.base, 'POST', path, { raw: `{"id":"evt_${index}"}` }),
    );
    await delay(1_500);
    const after = await startPeers(deps.bus);
    const bodies = (await Promise.all(answers)).map(({ body }) => body);
    expect(bodies.filter(({ success }) => success !== true)).toEqual([]);
    expect(new Set(after.webhooks.map(({ process_id }) => process_id)).size).toBe(100);
    expect(after.groups.length).toBeLessThan(100);
    const { body } = await send(running.base, 'GET', '/v1/webhooks/missed', { headers: asAdmin });
    expect(body).toMatchObject({ missed: [], pagination: { total: 0 } });
    await running.gateway.close();
    await leaveAll(after);
  });

  test('without intake for longer: success false after 8 s, counted, and listed without its contents', async () => {
    const peers = await startPeers(deps.bus);
    const running = await startGateway(deps, {}, peers);
    await peers.leave('intake.receive.v1');
    const began = Date.now();
    const { status, body } = await send(running.base, 'POST', '/v1/webhooks/generic/erp?token=t0ken', {
      raw: '{"card":"4242"}',
    });
    const took = Date.now() - began;
    expect(took).toBeGreaterThan(6_500);
    expect(took).toBeLessThan(10_000);
    expect(status).toBe(200);
    expect(body).toEqual({ success: false, message: expect.any(String), process_id: expect.stringMatching(/^proc_/) });
    const counted = await deps.metrics.getSingleMetric('order_automation_edge_webhooks_not_stored_total')?.get();
    expect(counted?.values[0]?.value).toBeGreaterThanOrEqual(1);
    const missed = await waitFor(async () => {
      const reply = await send(running.base, 'GET', '/v1/webhooks/missed?per_page=1', { headers: asAdmin });
      const [newest] = reply.body.missed as Record<string, unknown>[];
      return newest?.process_id === body.process_id ? newest : undefined;
    });
    expect(missed).toEqual({
      process_id: body.process_id,
      received_at: expect.any(String),
      gateway: 'generic',
      connection: 'erp',
      address: '127.0.0.1',
      reason: 'unavailable',
    });
    await running.gateway.close();
    await leaveAll(peers);
  }, 30_000);

  test('of the missed ones the latest are kept', async () => {
    const missed = await openMissedWebhooks(deps.store, 3);
    const one = (index: number) => ({
      _id: `proc_cap${index}`,
      at: new Date(index).toISOString(),
      gateway: 'gateway_card',
      connection: null,
      address: '203.0.113.5',
      reason: 'overloaded' as const,
    });
    await missed.add([0, 1, 2, 3].map(one));
    await missed.add([4, 4].map(one));
    expect((await missed.page(0, 10)).map(({ _id }) => _id)).toEqual(['proc_cap4', 'proc_cap3', 'proc_cap2']);
  });
});
