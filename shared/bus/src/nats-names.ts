import { accessOf, type EventType, events, type RequestType, type ServiceName } from '@order-automation/contracts';
import { BusError } from './errors';

/** What things are called on the server. A prefix keeps several installations, or tests, apart on one server. */
export type Names = {
  subject(type: EventType | RequestType): string;
  /** One stream for each domain: the first word of the types in it. */
  stream(type: EventType): string;
  consumer(type: EventType, group: string): string;
  /** The streams that a service publishes to or reads, every stream for undefined, each with its subjects. */
  streams(service?: ServiceName): ReadonlyMap<string, readonly string[]>;
};

const plainName = /^[A-Za-z0-9_-]{1,100}$/;

/** Throws BusError `invalid_message` for a prefix that cannot be part of a subject. */
export function namesFor(prefix = ''): Names {
  if (prefix !== '') checkName(prefix, 'stream prefix');
  const dotted = prefix === '' ? '' : `${prefix}.`;
  const dashed = prefix === '' ? '' : `${prefix}-`;
  const stream = (type: EventType): string => `${dashed}${type.split('.')[0]}-events`;
  const subject = (type: EventType | RequestType): string => `${dotted}${type}`;
  const all = new Map<string, string[]>();
  for (const type of Object.keys(events) as EventType[]) {
    all.set(stream(type), [...(all.get(stream(type)) ?? []), subject(type)]);
  }
  const streams = (service?: ServiceName): ReadonlyMap<string, readonly string[]> => {
    if (service === undefined) return all;
    const { publishes, subscribes } = accessOf(service);
    const used = new Set([...publishes, ...subscribes].map(stream));
    return new Map([...all].filter(([name]) => used.has(name)));
  };
  return {
    subject,
    stream,
    consumer: (type, group) => `${type.replaceAll('.', '_')}--${checkName(group, 'group')}`,
    streams,
  };
}

function checkName(name: string, what: string): string {
  if (plainName.test(name)) return name;
  throw new BusError('invalid_message', `The ${what} ${JSON.stringify(name)} may hold letters, digits, - and _ only.`);
}
