import { entriesOf } from './server-sent-events';

test('events that arrive in pieces; comments and other fields are passed over', async () => {
  const text =
    'retry: 2000\n\nid: 7\nevent: entry\ndata: {"a":"é"}\n\n: heartbeat\n\ndata: one\ndata: two\n\nid: 9\ndata: cut';
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (let at = 0; at < bytes.length; at += 5) controller.enqueue(bytes.slice(at, at + 5));
      controller.close();
    },
  });
  const found = [];
  for await (const event of entriesOf(new Response(body))) found.push(event);
  expect(found).toEqual([
    { id: '7', event: 'entry', data: '{"a":"é"}' },
    { id: undefined, data: 'one\ntwo' },
  ]);
});
