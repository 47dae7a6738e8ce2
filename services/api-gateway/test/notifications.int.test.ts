import type { RequestInput, RequestType } from '@order-automation/contracts';
import { describeLanes, type LaneDeps } from '@order-automation/testing';
import { type NotificationDocument, type Notifications, openNotifications } from '../src/collections/notifications';
import type { Edge } from '../src/http/edge';
import { look, type WatchDeps } from '../src/notifications/watch';

type Sent = RequestInput<'evaluation.message.send.v1'>;

describeLanes('notifications', (lane) => {
  let deps: LaneDeps;
  let notifications: Notifications;
  const minute = 60_000;
  let now = Date.parse('2026-11-23T12:00:00Z');
  let mailServerIsUp = true;
  const card = { accepted: 5, refused: 0 };
  const sent: Sent[] = [];

  /** The services behind the edge as far as the watch asks them: a sender whose webhooks are refused, and somebody who sends messages. */
  const ask = async (type: RequestType, input: unknown): Promise<unknown> => {
    if (type === 'evaluation.message.send.v1') {
      if (!mailServerIsUp) return { sent: false, reason: 'The mail server cannot be reached.' };
      sent.push(input as Sent);
      return { sent: true, reason: null };
    }
    if (type === 'intake.gateway.list.v1') {
      const counts = { ...card, duplicates: 0 };
      return { gateways: [{ name: 'gateway_card', counts, last_refusal: { text: 'No live secret matches.' } }] };
    }
    throw new Error('unavailable');
  };
  const watch = (): WatchDeps => ({
    clock: { now: () => now },
    log: deps.log,
    edge: { ask: ask as Edge['ask'], now: () => now, licence: { expires_at: null } as Edge['licence'] },
    notifications,
    publicUrl: 'https://automation.example',
  });
  /** The minutes pass, with a look at each. */
  const pass = async (minutes: number): Promise<void> => {
    for (let passed = 0; passed < minutes; passed += 1) {
      now += minute;
      await look(watch());
    }
  };
  const add = (fields: Partial<NotificationDocument>): Promise<unknown> =>
    notifications.add({
      _id: `n${Math.random()}`,
      name: 'On call',
      kind: 'email',
      to: 'ops@shop.example',
      secret_ref: null,
      causes: ['sender_refused'],
      quiet_minutes: 60,
      enabled: true,
      open: {},
      last_sent_at: null,
      last_error: null,
      created_at: new Date(now).toISOString(),
      updated_at: new Date(now).toISOString(),
      ...fields,
    });

  beforeAll(async () => {
    deps = await lane.deps();
    notifications = await openNotifications(deps.store);
  });
  beforeEach(async () => {
    for (const { _id } of await notifications.all()) await notifications.remove(_id);
    sent.length = 0;
    card.accepted += 1;
    card.refused = 0;
    mailServerIsUp = true;
    now += 24 * 60 * minute;
    await add({ _id: 'mail' });
    await pass(1);
  });
  afterAll(() => deps.close());

  test('a sender that is refused ten times in a row is said once, and said to be over when it is', async () => {
    card.refused = 9;
    await pass(1);
    expect(sent).toEqual([]);
    card.refused = 12;
    await pass(30);
    expect(sent.map(({ to, subject }) => [to, subject])).toEqual([
      ['ops@shop.example', 'A sender is refused repeatedly'],
    ]);
    expect(sent[0]?.body).toContain('The last 12 webhooks from the card gateway were refused: No live secret matches.');
    expect(sent[0]?.body).toContain('https://automation.example/connections');
    card.accepted += 1;
    await pass(60);
    expect(sent.map(({ subject }) => subject)).toEqual([
      'A sender is refused repeatedly',
      'Recovered: A sender is refused repeatedly',
    ]);
    expect(await notifications.find('mail')).toMatchObject({ last_error: null, open: {} });
  });

  test('what could not be sent is sent when the mail server is back, under the same key', async () => {
    mailServerIsUp = false;
    card.refused = 20;
    await pass(3);
    expect(await notifications.find('mail')).toMatchObject({
      last_error: 'The mail server cannot be reached.',
      open: {},
    });
    mailServerIsUp = true;
    await pass(2);
    expect(sent).toHaveLength(1);
    expect(await notifications.find('mail')).toMatchObject({ last_error: null });
  });

  test('a heartbeat beats each minute while all is well, and not while its causes have a problem', async () => {
    await notifications.remove('mail');
    await add({ _id: 'beat', kind: 'heartbeat', to: 'https://beats.example/a' });
    await pass(3);
    expect(sent.map(({ kind }) => kind)).toEqual(['heartbeat', 'heartbeat', 'heartbeat']);
    card.refused = 50;
    await pass(3);
    expect(sent).toHaveLength(3);
  });

  test('of two instances that look at the same moment one does', async () => {
    card.refused = 50;
    now += minute;
    await Promise.all([look(watch()), look(watch()), look(watch())]);
    expect(sent).toHaveLength(1);
  });
});
