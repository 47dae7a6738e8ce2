import {
  type ConnectionRecord,
  connectionFieldsSchema,
  counted,
  type NewAuditEntry,
  type ReplayJob,
  type RequestInput,
  type RequestOutput,
} from '@order-automation/contracts';
import { forLog } from '@order-automation/service';
import { isObject, own } from '../../gateways/payload';

/** What the log says of something that an administrator did; `order_id` and `process_id` where it belongs to one. */
export type Change = Pick<NewAuditEntry, 'event_type' | 'summary' | 'details'> & {
  readonly order_id?: number | null;
  readonly status?: NewAuditEntry['status'];
  readonly is_test?: boolean;
  readonly process_id?: string;
};

/** Without what came of it each function below says what an administrator is about to change. */
const change =
  (event_type: Change['event_type']) =>
  (summary: string, details: Change['details'], more: Partial<Change> = {}): Change => ({
    event_type,
    summary,
    details,
    ...more,
  });
const settings = change('webhook_settings_changed');
const replay = change('webhook_replayed');
const imported = change('webhook_imported');

export function connectionCreated(by: string, name: string, made?: ConnectionRecord): Change {
  if (!made) return settings(`${by} created the connection ${name}.`, { connection: name });
  const { auth_method, hmac_header } = made;
  const how = auth_method === 'hmac' ? `hmac in ${hmac_header}` : auth_method;
  return settings(`${by} created the connection ${name} (${how}).`, { connection: name, auth_method });
}

/** All of them but secrets, of which the log says only that there is another one. */
const comparedFields = connectionFieldsSchema.omit({ secret: true, public_key: true, preset: true }).keyof().options;

/** What an administrator does by changing one of these fields, to false and to true. */
const switches = { enabled: ['disabled', 'enabled'], paused: ['resumed', 'paused'] } as const;
const isSwitch = (field: string): field is keyof typeof switches => Object.hasOwn(switches, field);

type FieldChange = { readonly field: string; readonly from: string | null; readonly to: string | null };

const textOf = (value: unknown): string | null =>
  value === undefined || value === null ? null : forLog(typeof value === 'string' ? value : JSON.stringify(value));

const changeOf = (field: string, was: unknown, is: unknown): FieldChange => ({
  field,
  from: textOf(was),
  to: textOf(is),
});

/** Fields that differ, by their names; of a table (`types`, `paths`) each entry is one. */
function changedFields(before: ConnectionRecord, after: ConnectionRecord): FieldChange[] {
  return comparedFields
    .flatMap((field) => {
      const [was, is]: unknown[] = [before[field], after[field]];
      if (!isObject(was ?? is)) return changeOf(field, was, is);
      const [old, set] = [isObject(was) ? was : {}, isObject(is) ? is : {}];
      const entry = (key: string) => changeOf(`${field}.${forLog(key)}`, own(old, key), own(set, key));
      return Object.keys({ ...old, ...set }).map(entry);
    })
    .filter(({ from, to }) => from !== to);
}

/** `amount_unit` is "amount unit", `paths.order` is "order in paths". */
function changeText({ field, from, to }: FieldChange): string {
  const [table = '', ...key] = field.split('.');
  const name = key.length === 0 ? table.replaceAll('_', ' ') : `${key.join('.')} in ${table}`;
  const said = (value: string | null) => (value ? `"${value}"` : 'none');
  return `${name} from ${said(from)} to ${said(to)}`;
}

/** Undefined when nothing changed. Of a secret it says that there is another one, and nothing of either. */
export function connectionChanged(
  by: string,
  before: ConnectionRecord,
  after?: ConnectionRecord,
  newSecret = false,
): Change | undefined {
  const { name } = before;
  if (!after) return settings(`${by} changed the connection ${name}.`, { connection: name });
  const changes = changedFields(before, after);
  const switched = changes.flatMap(({ field, to }) => (isSwitch(field) ? switches[field][to === 'true' ? 1 : 0] : []));
  const changed = changes.filter(({ field }) => !isSwitch(field)).map(changeText);
  if (newSecret) changed.push('it has a new secret');
  if (switched.length + changed.length === 0) return undefined;
  const verbs = [...switched, ...(changed.length > 0 ? ['changed'] : [])].join(' and ');
  const what = changed.length > 0 ? `: ${changed.join('; ')}` : '';
  return settings(`${by} ${verbs} the connection ${name}${what}.`, { connection: name, changes });
}

/** Of the new secret it has the last four characters, once there is one. `overlapHours` null: older ones stay valid. */
type GivenSecret = {
  readonly last4?: string | undefined;
  readonly overlapHours: number | null;
  /** What becomes of those of the environment, where there are any: they end with the older ones, or stay valid. */
  readonly environment?: 'ends' | 'stays' | undefined;
};

/** `what`: "the connection erp", "gateway_card". */
export function secretGiven(by: string, what: string, { last4, overlapHours, environment }: GivenSecret): Change {
  const which = environment === 'ends' ? 'the older ones, those of the environment included,' : 'the older ones';
  const older =
    overlapHours === null
      ? 'the older ones stay valid'
      : overlapHours === 0
        ? `${which} are no longer valid`
        : `${which} stay valid for at most ${overlapHours} h`;
  const others = environment === 'stays' && overlapHours !== null ? '; those of the environment stay valid' : '';
  const made = last4 === undefined ? '' : ` (…${forLog(last4)})`;
  return settings(`${by} gave ${what} a new secret${made}; ${older}${others}.`, {
    sender: what,
    overlap_hours: overlapHours,
    ...(last4 !== undefined && { last4: forLog(last4) }),
  });
}

export function secretRemoved(by: string, what: string, last4?: string): Change {
  const which = last4 === undefined ? 'a secret' : `the secret …${forLog(last4)}`;
  const details = { sender: what, ...(last4 !== undefined && { last4: forLog(last4) }) };
  return settings(`${by} removed ${which} of ${what}; it is no longer valid.`, details);
}

type Deleted = RequestOutput<'intake.connection.delete.v1'>;

export function connectionDeleted(by: string, name: string, end?: Deleted): Change {
  if (!end) return settings(`${by} deleted the connection ${name}.`, { connection: name });
  const { released = 0, discarded = 0, notice } = end;
  const held = [
    ...(released > 0 ? [`${counted(released, 'waiting event')} went on to evaluation`] : []),
    ...(discarded > 0 ? [`${counted(discarded, 'waiting event')} ${discarded === 1 ? 'was' : 'were'} discarded`] : []),
  ];
  const summary = [`${by} deleted the connection ${name}; webhooks for its address are refused`, ...held].join('; ');
  const details = { connection: name, ...(held.length > 0 && { released, discarded }) };
  return settings(`${summary}.${notice === undefined ? '' : ` ${notice}`}`, details);
}

export function gatewayPaused(by: string, gateway: string, paused: boolean, released = 0): Change {
  const waited = released === 0 ? '' : `; ${counted(released, 'waiting event')} went on to evaluation`;
  const summary = paused
    ? `${by} paused ${gateway}: its events are stored and wait.`
    : `${by} resumed ${gateway}${waited}.`;
  return settings(summary, { gateway, paused, released });
}

export function referenceChanged(
  by: string,
  gateway: string,
  wanted: Partial<RequestInput<'intake.gateway.reference.v1'>>,
  set?: RequestOutput<'intake.gateway.reference.v1'>,
): Change {
  const { by: _by, order_reference: reference, order_prefix: given, ...proof } = wanted;
  const verified = `${by} changed how webhooks of ${gateway} are verified.`;
  if (reference === undefined && given === undefined) return settings(verified, { gateway });
  if (!set) return settings(`${by} changed how ${gateway} names orders.`, { gateway });
  const { order_reference, order_prefix } = set;
  const kind = { id: 'order ids', number: 'order numbers', auto: 'order ids or numbers' }[order_reference];
  const prefix = order_prefix === '' ? '' : `, without the prefix ${forLog(order_prefix)}`;
  const summary = `${by} set how ${gateway} names orders: its references are read as ${kind}${prefix}.`;
  return settings([summary, ...(Object.keys(proof).length > 0 ? [verified] : [])].join(' '), {
    gateway,
    order_reference,
    order_prefix: forLog(order_prefix),
  });
}

type Certificate = RequestOutput<'intake.certificate.add.v1'>['certificate'];

export function certificateLoaded(by: string, id: string, loaded?: Certificate): Change {
  const certificate = forLog(id.slice(0, 200));
  const { subject = '', valid_to } = loaded ?? {};
  const what = loaded ? ` (${forLog(subject.slice(0, 200))}, valid until ${valid_to})` : '';
  return settings(`${by} loaded the wallet certificate ${certificate}${what}.`, {
    certificate,
    ...(loaded && { valid_to }),
  });
}

export const certificateRemoved = (by: string, id: string): Change =>
  settings(`${by} removed the wallet certificate ${forLog(id)}.`, { certificate: forLog(id) });

type Replay = RequestOutput<'intake.event.replay.v1'> & { readonly name: string; readonly order_id: number | null };

export const eventReplayed = (by: string, { event_id, replay_id, process_id, name, order_id }: Replay): Change =>
  replay(`${by} replayed ${name} (${event_id}).`, { event_id, replay_id }, { process_id, order_id });

export function replayBegun({ id, by, matching, filter, rules }: ReplayJob): Change {
  const versions = rules ? ', each with the rules as they were when it was evaluated' : '';
  const summary = `${by} began to replay ${counted(matching, 'event')}${filterText(filter)}${versions}.`;
  return replay(summary, { job: id, matching, filter });
}

const skippedText = ({ skipped = 0 }: ReplayJob): string =>
  skipped === 0 ? '' : `, ${counted(skipped, 'event')} skipped that had never been evaluated`;

/** `by` has ended it; null when it came to its end by itself. */
export function replayEnded(job: ReplayJob, by: string | null): Change {
  const begun = `The replay that ${job.by} began`;
  const summary =
    by === null
      ? `${begun} is complete: ${counted(job.replayed, 'event')} replayed${skippedText(job)}.`
      : `${begun} was cancelled by ${by}: ${job.replayed} of ${job.matching} events were replayed.`;
  return replay(summary, { job: job.id, replayed: job.replayed });
}

type Tested = Pick<RequestOutput<'intake.test.send.v1'>, 'process_id' | 'result' | 'reason'> & {
  readonly gateway: string;
  readonly eventType: string;
};

export function gatewayTested(by: string, { gateway, eventType, process_id, result, reason }: Tested): Change {
  const why = reason === null ? '' : ` (${forLog(reason)})`;
  const summary = `${by} tested ${gateway} with ${forLog(eventType)}: ${result.replaceAll('_', ' ')}${why}.`;
  const status = result === 'evaluated' ? 'success' : 'warning';
  const details = { gateway, event_type: forLog(eventType), result };
  return change('webhook_test')(summary, details, { status, is_test: true, process_id });
}

type Imported = RequestInput<'intake.import.end.v1'>;
type Target = Pick<Imported, 'gateway' | 'connection' | 'process_id' | 'by'>;

const addressOf = ({ gateway, connection }: Target): string =>
  forLog(connection === null ? gateway : `${gateway}/${connection}`);

export function importBegun(target: Target): Change {
  const { by, gateway, process_id } = target;
  const summary = `${by} began to import events of ${addressOf(target)}.`;
  return imported(summary, { gateway: forLog(gateway) }, { process_id });
}

export function importEnded({ complete, lines, accepted, duplicates, refused, ...target }: Imported): Change {
  const end = complete ? 'is complete' : 'was broken off';
  const { by, gateway, process_id } = target;
  const summary = `The import of events of ${addressOf(target)} by ${by} ${end}: ${counted(lines, 'line')}, ${accepted} accepted, ${duplicates} received before, ${refused} refused.`;
  const details = { gateway: forLog(gateway), complete, lines, accepted, duplicates, refused };
  return imported(summary, details, { process_id });
}

function filterText(filter: ReplayJob['filter']): string {
  const parts = Object.entries(filter).map(([name, value]) => `${name} ${forLog(String(value))}`);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}
