import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitFor } from '@order-automation/testing';
import { Webhook } from 'standardwebhooks';
import { describeProducts, type Running } from './products';

type Call = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string };

describeProducts('notifications', (start) => {
  const calls: Call[] = [];
  let receiver: Server;
  let address: string;
  let running: Running;

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        calls.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() });
        response.writeHead(request.url === '/broken' ? 500 : 204).end();
      });
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    running = await start({ OUTBOUND_ALLOW: '127.0.0.1' });
  }, 120_000);
  afterAll(async () => {
    await running?.stop();
    receiver?.close();
  }, 60_000);

  const make = (fields: Record<string, unknown>) =>
    running.client<{ id: string }>('POST', '/v1/notifications', { name: 'On call', ...fields });
  const tryOut = ({ id }: { id: string }) =>
    running.client<{ sent: boolean; reason: string | null }>('POST', `/v1/notifications/${id}/test`, {});

  test('a test message arrives signed; what cannot be sent says why', async () => {
    const { client } = running;
    const { value } = await client<{ value: string }>('PUT', '/v1/secrets/on-call', {});
    const made = await make({ kind: 'webhook', to: `${address}/hook`, secret_ref: 'on-call' });
    expect(await tryOut(made)).toEqual({ sent: true, reason: null });
    const [call] = calls;
    if (!call) throw new Error('nothing arrived');
    const message = new Webhook(value).verify(call.body, call.headers as Record<string, string>);
    expect(message).toMatchObject({
      type: 'order_automation.notification',
      // docs.slack.dev/messaging/sending-messages-using-incoming-webhooks: a chat shows this, and refuses a message without it.
      text: expect.stringMatching(/^Test of a notification\n/),
      data: { subject: 'Test of a notification' },
    });

    expect(await tryOut(await make({ kind: 'heartbeat', to: `${address}/beat` }))).toEqual({
      sent: true,
      reason: null,
    });
    expect(calls.at(-1)?.path).toBe('/beat');
    expect(await tryOut(await make({ kind: 'webhook', to: `${address}/broken` }))).toMatchObject({
      sent: false,
      reason: expect.stringContaining('500'),
    });
  });

  test('what could not be sent is refused when it is created, and when it is changed', async () => {
    await expect(make({ kind: 'email', to: 'ops@shop.example' })).rejects.toThrow(/no mail server: set SMTP_URL/);
    await expect(make({ kind: 'webhook', to: 'http://10.0.0.1/hook' })).rejects.toThrow(/OUTBOUND_ALLOW/);
    const hook = { kind: 'webhook', to: `${address}/hook` };
    await expect(make({ ...hook, secret_ref: 'nobodys' })).rejects.toThrow(/no secret \\*"nobodys/);
    const { id } = await make(hook);
    const change = (fields: Record<string, unknown>) => running.client('PUT', `/v1/notifications/${id}`, fields);
    await expect(change({ kind: 'email', to: 'ops@shop.example' })).rejects.toThrow(/no mail server: set SMTP_URL/);
    await expect(change({ causes: [] })).rejects.toThrow(/never say anything/);
    await expect(make({ ...hook, causes: [] })).rejects.toThrow(/never say anything/);
    await change({ enabled: false });
    await change({ enabled: true });
  });

  test('what is no address is refused; a change and a deletion are in the log with the user', async () => {
    const { client } = running;
    await expect(make({ kind: 'email', to: 'https://shop.example' })).rejects.toThrow(/must be an e-mail address/);
    await expect(make({ kind: 'webhook', to: 'ops@shop.example' })).rejects.toThrow(/http or https/);
    const { id } = await make({ kind: 'webhook', to: `${address}/hook` });
    await client('PUT', `/v1/notifications/${id}`, { quiet_minutes: 120 });
    const { notifications } = await client<{ notifications: { id: string; quiet_minutes: number }[] }>(
      'GET',
      '/v1/notifications',
    );
    expect(notifications.find((each) => each.id === id)?.quiet_minutes).toBe(120);
    await client('DELETE', `/v1/notifications/${id}`);
    await expect(client('DELETE', `/v1/notifications/${id}`)).rejects.toThrow(/svc_notification_not_found/);
    await waitFor(async () => {
      const path = '/v1/audit-log?view=flat&event_type=account_changed';
      const { logs } = await client<{ logs: { summary: string }[] }>('GET', path);
      return logs.some(({ summary }) => summary.startsWith('admin deleted the notification "On call"'));
    });
  });
});
