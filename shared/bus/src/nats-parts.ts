import { headers, type Msg, type MsgHdrs, nuid } from 'nats';
import { BusError } from './errors';
import type { Link } from './nats-link';
import { headRoom } from './nats-publish';

/**
 * Requests and answers larger than `max_payload`: the message carries an address instead, from which the other side fetches the parts
 * one after the other. So the queue group still chooses one responder, and it decides the pace.
 */
export type Parts = {
  /** What to send for these bytes, whatever their size. Call `withdraw` when nobody will fetch any more. */
  wrap(bytes: Uint8Array): Wrapped;
  /** The bytes that were wrapped. Rejects with BusError `too_large`, `invalid_message`, or as `ask` does. */
  unwrap(msg: Msg, timeout: number): Promise<Uint8Array>;
};

export type Wrapped = { readonly data: Uint8Array; readonly headers?: MsgHdrs; readonly withdraw: () => void };

/** Bytes of the largest request or answer. */
export const largestBody = 32 * 1024 * 1024;
const sizeHeader = 'Order-Automation-Size';
const offeredFor = 30_000;

export function parts(link: Link): Parts {
  const wrap = (bytes: Uint8Array): Wrapped => {
    const slice = link.maxPayload() - headRoom;
    if (bytes.length <= slice) return { data: bytes, withdraw: () => undefined };
    if (bytes.length > largestBody) {
      throw new BusError('too_large', `${bytes.length} bytes are more than a request may have (${largestBody}).`);
    }
    const address = `_INBOX.${nuid.next()}`;
    const subscription = link.nc.subscribe(address, {
      callback: (error, msg) => {
        const from = error ? Number.NaN : Number(msg.string());
        if (Number.isSafeInteger(from) && from >= 0) msg.respond(bytes.subarray(from, from + slice));
      },
    });
    const withdraw = (): void => {
      clearTimeout(timer);
      if (!link.nc.isClosed()) subscription.unsubscribe();
    };
    const timer = setTimeout(withdraw, offeredFor);
    timer.unref();
    const head = headers();
    head.set(sizeHeader, String(bytes.length));
    return { data: Buffer.from(address), headers: head, withdraw };
  };

  const unwrap = async (msg: Msg, timeout: number): Promise<Uint8Array> => {
    const announced = msg.headers?.get(sizeHeader);
    if (!announced) return msg.data;
    const size = Number(announced);
    const address = msg.string();
    if (!Number.isSafeInteger(size) || size < 0 || !/^_INBOX\.[A-Za-z0-9]+$/.test(address)) {
      throw new BusError('invalid_message', 'The parts of a message are announced in an unknown way.');
    }
    if (size > largestBody)
      throw new BusError('too_large', `${size} bytes are more than a request may have (${largestBody}).`);
    const whole = new Uint8Array(size);
    for (let at = 0; at < size; ) {
      const part = (await link.ask(address, Buffer.from(String(at)), { timeout })).data;
      if (part.length === 0 || at + part.length > size) {
        throw new BusError('invalid_message', 'A part of a message has the wrong size.');
      }
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  };
  return { wrap, unwrap };
}
