import { repeatedly, type ServiceDeps } from '@order-automation/service';
import type { NotificationDocument, Notifications } from '../collections/notifications';
import type { Edge } from '../http/edge';
import { decide, type Notice, wordsOf } from './due';
import { observe } from './observe';
import { type Problem, problemsOf, streaksAfter } from './problems';

export type WatchDeps = Pick<ServiceDeps, 'clock' | 'log'> & {
  readonly edge: Pick<Edge, 'ask' | 'now' | 'licence'>;
  readonly notifications: Notifications;
  /** Address of the console with BASE_PATH, without a slash at the end. */
  readonly publicUrl: string;
};

/** Milliseconds between two looks, and that one instance has for a look. */
const lookEvery = 60_000;
const leaseTime = 55_000;
const sendTimeout = 15_000;

/** Looks each minute, in one instance at a time, and sends the messages that are due. */
export function startNotificationWatch(deps: WatchDeps): { close(): Promise<void> } {
  return repeatedly(lookEvery, () =>
    look(deps).catch((error: unknown) => deps.log.warn({ err: error }, 'notifications could not be looked after')),
  );
}

/** One look: nothing where another instance looks, or nobody wants to be told. */
export async function look(deps: WatchDeps): Promise<void> {
  const { clock, edge, notifications } = deps;
  const wanted = (await notifications.all()).filter(({ enabled }) => enabled);
  if (wanted.length === 0) return;
  const before = await notifications.takeWatch(clock.now(), clock.now() + leaseTime);
  if (!before) return;
  const { seen, verified } = await observe(edge, before.verified);
  const streaks = streaksAfter(before.streaks, seen.endpoints);
  await notifications.saveWatch({ streaks, verified });
  const problems = problemsOf(seen, streaks, clock.now());
  for (const notification of wanted) await tell(notification, problems, deps);
}

/** What could not be sent is not noted as said, so that the next look says it. */
async function tell(notification: NotificationDocument, problems: readonly Problem[], deps: WatchDeps): Promise<void> {
  const { notifications, clock, publicUrl } = deps;
  const now = clock.now();
  if (notification.kind === 'heartbeat') {
    if (problems.some(({ cause }) => notification.causes.includes(cause))) return;
    const failure = await send(notification, `beat:${now}`, { subject: 'All is well', body: '' }, deps.edge);
    return note(notification, failure, deps);
  }
  const { notices, open } = decide(notification, problems, now);
  let failure: string | null | undefined;
  const said = { ...open };
  for (const notice of notices) {
    failure = await send(notification, keyOf(notice), wordsOf(notice, publicUrl), deps.edge, notice);
    if (failure === null) continue;
    const { [notice.cause]: known } = notification.open;
    if (known) said[notice.cause] = known;
    else delete said[notice.cause];
  }
  const changed = JSON.stringify(said) !== JSON.stringify(notification.open);
  if (changed) await notifications.change(notification._id, { open: said });
  if (failure !== undefined) await note(notification, failure, deps);
}

const keyOf = ({ cause, recovered, since, problems }: Notice): string =>
  `${cause}:${since}:${recovered ? 'recovered' : problems.map(({ key }) => key).join('+')}`.slice(0, 300);

async function note(
  { _id }: NotificationDocument,
  failure: string | null,
  { notifications, clock }: WatchDeps,
): Promise<void> {
  const sent = failure === null ? { last_sent_at: new Date(clock.now()).toISOString() } : {};
  await notifications.change(_id, { ...sent, last_error: failure });
}

/** Null when it was sent; otherwise why not, in a sentence. */
export async function send(
  { _id, kind, to, secret_ref }: Pick<NotificationDocument, '_id' | 'kind' | 'to' | 'secret_ref'>,
  key: string,
  { subject, body }: { readonly subject: string; readonly body: string },
  edge: Pick<Edge, 'ask'>,
  notice?: Notice,
): Promise<string | null> {
  try {
    const data = notice && { cause: notice.cause, recovered: notice.recovered, problems: [...notice.problems] };
    const message = { key: `notification:${_id}:${key}`, kind, to, secret_ref, subject, body, ...(data && { data }) };
    const { sent, reason } = await edge.ask('evaluation.message.send.v1', message, sendTimeout);
    return sent ? null : reason;
  } catch {
    return 'The service that sends messages cannot be reached.';
  }
}
