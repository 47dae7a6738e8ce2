import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';

/** The events of a `text/event-stream` answer (WHATWG HTML, section 9.2) that carry data; `id` is what a reconnect sends as `Last-Event-ID`. */
export const entriesOf = ({ body }: Response): AsyncIterable<EventSourceMessage> =>
  (body as ReadableStream<Uint8Array>)
    .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
    .pipeThrough(new EventSourceParserStream()) as unknown as AsyncIterable<EventSourceMessage>;
