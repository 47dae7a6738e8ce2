import { execFileSync } from 'node:child_process';
import type { Service } from '@order-automation/service';
import { describeLanes, type LaneDeps, type SettableClock, waitFor } from '@order-automation/testing';
import { cardWebhook, type Peers, receiveOne, running, start } from './intake';

describeLanes('the log says what administrators did', (lane) => {
  let deps: LaneDeps;
  let clock: SettableClock;
  let service: Service;
  let peers: Peers;

  beforeEach(async () => {
    ({ clock, deps, peers, service } = await running(lane));
  });
  afterEach(async () => {
    await service.close();
    await deps.close();
  });

  const logged = async (eventType: string, count: number) => {
    const found = () => [...peers.entries.values()].filter(({ event_type }) => event_type === eventType);
    await waitFor(() => found().length >= count);
    return found();
  };

  test('connections, gateways: who and what, also when audit was unavailable, and nothing secret', async () => {
    peers.audit = 'down';
    const by = 'ada';
    const name = 'erp';
    const { bus } = deps;
    const created = await bus.request('intake.connection.create.v1', { name, fields: {}, by });
    await bus.request('intake.connection.change.v1', { name, fields: { enabled: false }, by });
    await bus.request('intake.connection.change.v1', { name, fields: { enabled: false }, by });
    const own = 'the-senders-own-secret-0123456789';
    const changed = await bus.request('intake.connection.change.v1', { name, fields: { secret: own }, by });
    const rotated = await bus.request('intake.connection.rotate.v1', { name, overlap_hours: 24, by });
    await bus.request('intake.gateway.pause.v1', { gateway: 'gateway_card', paused: true, by });
    await bus.request('intake.gateway.pause.v1', { gateway: 'gateway_card', paused: false, by });
    await bus.request('intake.connection.delete.v1', { name, by });
    await bus.request('intake.connection.create.v1', { name: 'crm', fields: { auth_method: 'none' } });
    await service.close();
    peers.audit = 'up';
    clock.advance(60_000);
    service = await start(deps);
    const entries = await logged('webhook_settings_changed', 8);
    expect(entries.map(({ summary }) => summary).sort()).toEqual(
      [
        'ada created the connection erp (hmac in x-signature).',
        'ada disabled the connection erp.',
        'ada changed the connection erp: it has a new secret.',
        `ada gave the connection erp a new secret (…${rotated.connection.secret_last4}); the older ones stay valid for at most 24 h.`,
        'ada paused gateway_card: its events are stored and wait.',
        'ada resumed gateway_card.',
        'ada deleted the connection erp; webhooks for its address are refused. It was the last one; /webhooks/generic stays closed, unless GENERIC_REQUIRE_CONNECTION=false opens it on purpose.',
        'An administrator created the connection crm (none).',
      ].sort(),
    );
    const text = JSON.stringify(entries);
    for (const secret of [created.secret, own, rotated.secret]) expect(text).not.toContain(secret);
    expect(changed.secret).toBeNull();
  }, 60_000);

  test('a replay is part of the process that it begins; an import says how it ended', async () => {
    await receiveOne(deps.bus, cardWebhook('evt_1', Date.now()));
    const { data } = await waitFor(() => peers.events[0]);
    await peers.finish(data.event.id, { order_id: 42 });
    const replayed = await waitFor(async () =>
      deps.bus.request('intake.event.replay.v1', { id: data.event.id, by: 'ada' }).catch(() => undefined),
    );
    expect(await logged('webhook_replayed', 1)).toMatchObject([
      {
        summary: `ada replayed payment_completed from gateway_card (${data.event.id}).`,
        process_id: replayed.process_id,
        order_id: 42,
        source: 'manual',
      },
    ]);
    const target = { gateway: 'gateway_card', connection: null, process_id: 'proc_1', by: 'ada' };
    await deps.bus.request('intake.import.v1', {
      gateway: 'gateway_card',
      connection: null,
      lines: [Buffer.from(cardWebhook('evt_2', Date.now()).body).toString()],
      begins: { process_id: 'proc_1', by: 'ada' },
    });
    await deps.bus.request('intake.import.end.v1', {
      ...target,
      complete: true,
      lines: 1,
      accepted: 1,
      duplicates: 0,
      refused: 0,
    });
    const entries = await logged('webhook_imported', 2);
    expect(entries.map(({ summary, process_id }) => [process_id, summary])).toEqual([
      ['proc_1', 'ada began to import events of gateway_card.'],
      [
        'proc_1',
        'The import of events of gateway_card by ada is complete: 1 line, 1 accepted, 0 received before, 0 refused.',
      ],
    ]);
  });

  test('a certificate that was loaded or removed', async () => {
    const id = 'CERT-1';
    await expect(
      deps.bus.request('intake.certificate.add.v1', { id, pem: 'nonsense', by: 'ada' }),
    ).rejects.toMatchObject({ status: 400 });
    const keyAndCertificate = execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', '-', '-subj', '/CN=wallet.example', '-days', '2'],
      { stdio: 'pipe' },
    ).toString();
    const pem = keyAndCertificate.slice(keyAndCertificate.indexOf('-----BEGIN CERTIFICATE'));
    const { certificate } = await deps.bus.request('intake.certificate.add.v1', { id, pem, by: 'ada' });
    await deps.bus.request('intake.certificate.delete.v1', { id, by: 'bob' });
    const entries = await logged('webhook_settings_changed', 2);
    expect(entries.map(({ summary }) => summary)).toEqual([
      `ada loaded the wallet certificate CERT-1 (CN=wallet.example, valid until ${certificate.valid_to}).`,
      'bob removed the wallet certificate CERT-1.',
    ]);
  });
});
