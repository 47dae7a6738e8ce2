import { describeLanes, type LaneDeps } from '@order-automation/testing';
import { asAdmin, type Running, send, startGateway } from './gateway';

describeLanes('import at the edge', (lane) => {
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

  const post = async (body: string, query: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${running.base}/v1/shop/import?${query}`, {
      method: 'POST',
      body,
      headers: { ...asAdmin, 'content-type': 'application/x-ndjson', ...headers },
    });
    const lines = (await answer.text()).trimEnd().split('\n');
    return { status: answer.status, last: JSON.parse(lines.at(-1) ?? '') as Record<string, unknown> };
  };
  const file = (lines: number, from = 1) =>
    Array.from({ length: lines }, (_, n) => `{"type":"tag","data":{"id":${from + n},"name":"t"}}\n`).join('');
  const asked = (id: string) => running.peers.asked('shop.import.v2').filter((input) => input.id === id);

  it('hands lines over in batches and reports the end', async () => {
    expect(await post(file(1200), 'id=a&events=false')).toMatchObject({
      status: 200,
      last: { done: true, id: 'a', lines: 1200, imported: 1200, refused: 0 },
    });
    expect(asked('a').map(({ after, lines, last, events }) => [after, lines.length, last, events])).toEqual([
      [0, 500, false, false],
      [500, 500, false, false],
      [1000, 200, false, false],
      [1200, 0, true, false],
    ]);
    const { body } = await send(running.base, 'GET', '/v1/shop/imports/a', { headers: asAdmin });
    expect(body).toMatchObject({ id: 'a', state: 'done', lines: 1200 });
  });

  it('a file that is sent again goes on where it was, and a finished one is read alone', async () => {
    await post(file(500), 'id=b');
    expect((await post(file(700), '', { 'idempotency-key': 'b' })).last).toMatchObject({ done: true, lines: 700 });
    expect(asked('b').map(({ after, lines }) => [after, lines.length])).toEqual([
      [0, 500],
      [500, 0],
      [500, 200],
      [700, 0],
    ]);
    const before = asked('b').length;
    expect((await post(file(700), 'id=b')).last).toMatchObject({ done: true, lines: 700 });
    expect(asked('b')).toHaveLength(before);
  });

  it('another file under the same id is refused', async () => {
    await post(file(10), 'id=c');
    expect(await post(file(10, 100), 'id=c')).toMatchObject({ status: 409, last: { code: 'svc_import_conflict' } });
    expect(await post(file(5), 'id=c')).toMatchObject({ status: 409, last: { code: 'svc_import_conflict' } });
  });

  it('lines that cannot be read are named', async () => {
    expect((await post(`${file(1)}{"type":"${'x'.repeat(1_100_000)}"}\n`, 'id=d')).last).toMatchObject({ refused: 1 });
    expect(asked('d')[0]?.broken).toEqual([{ line: 2, reason: 'is longer than 1048576 bytes' }]);
  });

  it('an unknown import, a bad id and another type of body are refused', async () => {
    const read = (id: string) => send(running.base, 'GET', `/v1/shop/imports/${id}`, { headers: asAdmin });
    expect(await read('nobody')).toMatchObject({ status: 404, body: { code: 'svc_import_not_found' } });
    expect(await read('a%20b')).toMatchObject({ status: 400 });
    expect(await post('{}', 'id=e', { 'content-type': 'application/json' })).toMatchObject({ status: 415 });
  });
});
