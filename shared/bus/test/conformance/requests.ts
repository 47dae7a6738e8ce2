import { auditEntry, invalidParameters, paginate, ServiceError } from '@order-automation/contracts';
import { BusError } from '../../src/errors';
import { gate, type Subject, step, webhookOf } from './data';

export function requestConformance(subject: Subject): void {
  test('a request is answered, with what its schemas say', async () => {
    const { bus, other } = subject();
    await other.respond('audit.record.v2', async ({ records }) => ({ recorded: records.length, duplicates: 0 }));
    await expect(bus.request('audit.record.v2', { records: [] })).resolves.toEqual({ recorded: 0, duplicates: 0 });
  });

  test('one responder answers, and several share the work', async () => {
    const { bus, other } = subject();
    const counts = [0, 0];
    for (const index of counts.keys()) {
      await other.respond('shop.order.get.v1', async () => {
        counts[index] = (counts[index] ?? 0) + 1;
        return { orders: [] };
      });
    }
    await Promise.all(Array.from({ length: 60 }, () => bus.request('shop.order.get.v1', { ids: [1] })));
    expect((counts[0] ?? 0) + (counts[1] ?? 0)).toBe(60);
    expect(Math.min(...counts)).toBeGreaterThan(0);
  });

  test('no responder: no_responder, at once; also after the responder has left', async () => {
    const { bus, other } = subject();
    const started = performance.now();
    const ask = () => bus.request('shop.order.get.v1', { ids: [1] });
    await expect(ask()).rejects.toMatchObject({ name: 'BusError', code: 'no_responder' });
    expect(performance.now() - started).toBeLessThan(1_000);
    const responder = await other.respond('shop.order.get.v1', async () => ({ orders: [] }));
    await expect(ask()).resolves.toEqual({ orders: [] });
    await responder.close();
    await expect(ask()).rejects.toMatchObject({ code: 'no_responder' });
  });

  test('no answer in time: timeout, and the late answer is ignored', async () => {
    const { bus, other } = subject();
    const hold = gate();
    await other.respond('shop.order.get.v1', async () => {
      await hold.opened;
      return { orders: [] };
    });
    const late = bus.request('shop.order.get.v1', { ids: [1] }, { timeout: 60 });
    await expect(late).rejects.toMatchObject({ name: 'BusError', code: 'timeout' });
    hold.open();
    await expect(bus.request('shop.order.get.v1', { ids: [1] })).resolves.toEqual({ orders: [] });
  });

  test('a ServiceError crosses with its status, code, message and data', async () => {
    const { bus, other } = subject();
    const refusal = invalidParameters([{ path: 'rule.trigger', message: 'is missing' }]);
    await other.respond('rules.rule.get.v1', () => Promise.reject(refusal));
    const failure = await bus.request('rules.rule.get.v1', { id: 1 }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ServiceError);
    expect((failure as ServiceError).body()).toEqual(refusal.body());
  });

  test('any other error is 500 without a word of it; something unavailable behind it is 503', async () => {
    const { bus, other } = subject();
    let error: Error = new Error('password=secret at /srv/app.js');
    await other.respond('rules.rule.get.v1', () => Promise.reject(error));
    const ask = () => bus.request('rules.rule.get.v1', { id: 1 }).catch((failure: unknown) => failure);
    const internal = (await ask()) as ServiceError;
    expect(internal.body()).toMatchObject({ code: 'svc_internal_error', data: { status: 500 } });
    expect(JSON.stringify(internal.body())).not.toContain('secret');
    error = new BusError('timeout', 'shop.order.get.v1 was not answered');
    expect(((await ask()) as ServiceError).body()).toMatchObject({ code: 'svc_unavailable', data: { status: 503 } });
  });

  test('input that does not fit is refused before it is sent; an answer that does not fit is the responder’s failure', async () => {
    const { bus, other } = subject();
    let asked = 0;
    await other.respond('rules.rule.get.v1', async () => {
      asked += 1;
      return { record: { id: 'one' } } as never;
    });
    const wrong = bus.request('rules.rule.get.v1', { id: 'one' } as never);
    await expect(wrong).rejects.toMatchObject({ name: 'BusError', code: 'invalid_message' });
    expect(asked).toBe(0);
    await expect(bus.request('rules.rule.get.v1', { id: 1 })).rejects.toMatchObject({ code: 'svc_internal_error' });
    expect(asked).toBe(1);
  });

  test.each([0, 1, 1900, 1024 * 1024])('a webhook of %i bytes arrives byte for byte', async (size) => {
    const { bus, other } = subject();
    const sent = webhookOf(size);
    let same: boolean | undefined;
    await other.respond('intake.receive.v1', async ({ webhooks }) => {
      const [original, received] = [sent.webhooks[0]?.body, webhooks[0]?.body];
      same = received instanceof Uint8Array && Buffer.compare(received, original ?? new Uint8Array(1)) === 0;
      const reception = { success: true, message: 'ok', process_id: 'proc_1', events_processed: 1, duplicate: false };
      return { receptions: webhooks.map(() => reception) };
    });
    const answer = await bus.request('intake.receive.v1', sent, { timeout: 20_000 });
    expect(answer.receptions).toHaveLength(1);
    expect(same).toBe(true);
  });

  test('what arrives is what JSON would have carried, and nobody else has it', async () => {
    const { bus, other } = subject();
    const received: Record<string, unknown>[] = [];
    const kept = { list: [1] };
    await other.respond('audit.process.get.v1', async ({ process_id }) => {
      const entry = { ...entryWith(kept), process_id };
      return { logs: [entry], pagination: paginate(1, 1, 1) };
    });
    await other.respond('audit.record.v2', async ({ records }) => {
      const details = records[0]?.entries[0]?.details ?? {};
      received.push(details);
      Object.assign(details, { mine: true });
      return { recorded: 1, duplicates: 0, more: 'nobody asked for' };
    });
    const details = {
      list: [1, undefined],
      gone: undefined,
      when: new Date(0),
      odd: Number.NaN,
      map: new Map([[1, 2]]),
    };
    const { id: _, parent_id: __, process_id, ...entry } = entryWith(details);
    const records = [{ uid: 'evt_1', process_id, entries: [{ ...entry, uid: 'evt_1:x', unknown: 1 }] }];
    const recorded = bus.request('audit.record.v2', { records });
    details.list.push(7);
    expect(await recorded).toEqual({ recorded: 1, duplicates: 0 });
    expect(await bus.request('audit.record.v2', { records })).toEqual({ recorded: 1, duplicates: 0 });
    const seen = { gone: undefined, when: '1970-01-01T00:00:00.000Z', odd: null, map: {}, mine: true };
    expect(received).toEqual([
      { ...seen, list: [1, null] },
      { ...seen, list: [1, null, 7] },
    ]);
    expect(Object.keys(received[0] ?? {})).not.toContain('gone');
    expect(details).not.toHaveProperty('mine');
    for (const again of [1, 2]) {
      const { logs } = await bus.request('audit.process.get.v1', { process_id, page: 1, per_page: again });
      const [answered] = logs.map((log) => log.details as typeof kept);
      expect(answered).toEqual({ list: [1] });
      answered?.list.push(again);
    }
    expect(kept).toEqual({ list: [1] });
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    const endless = { ...entry, uid: 'evt_1:x', details: cycle };
    await expect(
      bus.request('audit.record.v2', { records: [{ uid: 'evt_1', process_id, entries: [endless] }] }),
    ).rejects.toMatchObject({ code: 'invalid_message' });
  });

  test('several large requests and answers at once keep apart', async () => {
    const { bus, other } = subject();
    await other.respond('shop.order.apply.v2', async ({ steps }) => ({
      results: steps.map(({ key }) => ({
        kind: 'unavailable' as const,
        reason: key.repeat(700_000),
        retry_after_ms: null,
        about: 'order' as const,
      })),
    }));
    const ask = (key: string) => {
      const command = { kind: 'add_note' as const, note: key.repeat(900_000), customer_note: false };
      const steps = ['1', '2'].map((part) => ({ ...step, key: key + part, commands: [{ key, command }] }));
      return bus.request('shop.order.apply.v2', { steps }, { timeout: 10_000 });
    };
    const answers = await Promise.all(['a', 'b', 'c'].map(ask));
    const reasons = answers.map(({ results }) => results.map((result) => 'reason' in result && result.reason));
    expect(reasons).toEqual(['a', 'b', 'c'].map((key) => ['1', '2'].map((part) => (key + part).repeat(700_000))));
  });
}

function entryWith(details: Record<string, unknown>) {
  const timestamp = new Date(0).toISOString();
  const fields = {
    timestamp,
    event_type: 'webhook_received',
    source: 'webhook',
    summary: 'x',
    process_id: 'p',
  } as const;
  const { uid: _, ...entry } = auditEntry({ ...fields, uid: 'x', details });
  return { ...entry, id: 1, parent_id: null };
}
