/** One event of a stream; `id` is what a reconnect sends as `Last-Event-ID`. */
export type StreamEvent = { readonly id: string | undefined; readonly data: string };

/** The events of a `text/event-stream` answer (WHATWG HTML, section 9.2) that carry data. */
export async function* entriesOf(response: Response): AsyncGenerator<StreamEvent> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    rest += decoder.decode(chunk, { stream: true });
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = eventOf(block);
      if (event) yield event;
    }
  }
}

function eventOf(block: string): StreamEvent | undefined {
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [field = '', value = ''] = line.split(/:(.*)/s, 2);
    const text = value.startsWith(' ') ? value.slice(1) : value;
    if (field === 'id') id = text;
    if (field === 'data') data.push(text);
  }
  return data.length === 0 ? undefined : { id, data: data.join('\n') };
}
