import { within } from '@order-automation/bus';
import { type Relay, recordsOf, startRelay } from '@order-automation/service';
import type { GatewayAdapter } from '../gateways/adapter';
import { authenticityRefusal, type Refusal } from '../gateways/refusal';
import { disowned } from '../gateways/wallet/post-back';
import { bodyBytes, firstDelay, type InboxDocument, type InboxEvent, joined, quotaReleased } from '../inbox/documents';
import { keptRejection } from '../inbox/entries';
import { relayDelayAfter } from '../inbox/inbox';
import type { DeliveryParts } from './delivery';

/** Events of a gateway that it is asked about at once. */
const inFlight = 16;
/** Times that a gateway is asked about one event: a day while this runs (decisions.md section 6). */
export const maxConfirmations = 300;
/** Milliseconds after which an adapter that has not answered counts as one without an answer. */
const timeout = 15_000;

const notConfirmed = authenticityRefusal('not_confirmed', 'The wallet did not confirm the notification in a day.');

/** Asks each gateway about the events that it has not confirmed yet. One that hangs delays nobody else: each has a relay of its own. */
export function confirmationRelays(parts: DeliveryParts): Relay[] {
  const { router, collections } = parts;
  return router
    .adapters()
    .filter(({ confirm }) => confirm !== undefined)
    .map((adapter) =>
      startRelay<InboxDocument>({
        ...parts,
        name: `confirmations of ${adapter.gateway}`,
        pending: (now, limit) => collections.inbox.due({ state: 'verifying', endpoint: adapter.gateway }, now, limit),
        send: async (documents) => {
          await Promise.all(documents.map((document) => confirm(parts, adapter, document)));
        },
        batch: inFlight,
      }),
    );
}

async function confirm(parts: DeliveryParts, adapter: GatewayAdapter, document: InboxDocument): Promise<void> {
  const { clock, collections, endpoints, fast } = parts;
  const { inbox, payloads, quota } = collections;
  const { _id, attempts, endpoint } = document;
  const payload = await payloads.byId(_id);
  const answer = payload && (await answerOf(adapter, bodyBytes(payload)));
  const now = clock.now();
  if (answer === undefined && attempts < maxConfirmations) {
    await inbox.postpone([_id], 'verifying', attempts, now + relayDelayAfter(attempts));
    return;
  }
  if (!payload) return void (await inbox.remove([_id]));
  const event = joined(document, payload);
  if (answer !== true) return refuse(parts, event, answer === false ? disowned : notConfirmed);
  const confirmed = { confirmed: true as const, attempts: 0 };
  const isPaused = endpoints.paused(endpoint);
  const due_at = new Date(now + firstDelay).toISOString();
  const set = isPaused ? confirmed : { ...confirmed, due_at };
  if (!(await inbox.endVerification(_id, isPaused ? 'held' : 'accepted', set))) return;
  await quota.add([quotaReleased(document)]);
  if (!isPaused) fast.announce([joined({ ...document, ...confirmed, state: 'accepted' }, payload)]);
}

async function answerOf(adapter: GatewayAdapter, body: Buffer): Promise<boolean | undefined> {
  try {
    return await within(timeout, Promise.resolve(adapter.confirm?.(body)), () => new Error('no answer in time'));
  } catch {
    return undefined;
  }
}

/** Nothing of its body is kept, and its key is free: nobody has proved it. */
async function refuse(
  { clock, collections, outbox }: DeliveryParts,
  document: InboxEvent,
  refusal: Refusal,
): Promise<void> {
  const { inbox, payloads, quota } = collections;
  const { _id } = document;
  await outbox.add(recordsOf([keptRejection(document, refusal)]));
  const done_at = new Date(clock.now()).toISOString();
  // A copy that the wallet is made to send later may be confirmed.
  await payloads.freeKey(_id);
  if (await inbox.endVerification(_id, 'refused', { reason: refusal.text, done_at })) {
    await payloads.erase(_id, {});
    await quota.add([quotaReleased(document)]);
  }
}
