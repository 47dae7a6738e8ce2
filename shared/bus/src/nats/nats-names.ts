import { accessOf, type EventType, events, type RequestType, type ServiceName } from '@order-automation/contracts';
import { BusError } from '../errors';

export type Names = ReturnType<typeof namesFor>;

const plainName = /^[A-Za-z0-9_-]{1,100}$/;

/** Names on the server. A prefix keeps installations, or tests, apart. Throws BusError `invalid_message` for one that cannot be part of a subject. */
export function namesFor(prefix = '') {
  if (prefix !== '') checkName(prefix, 'stream prefix');
  const dotted = prefix === '' ? '' : `${prefix}.`;
  const dashed = prefix === '' ? '' : `${prefix}-`;
  /** One stream for each domain: the first word of the types in it. */
  const stream = (type: EventType): string => `${dashed}${type.split('.')[0]}-events`;
  const subject = (type: EventType | RequestType): string => `${dotted}${type}`;
  const all = new Map<string, string[]>();
  for (const type of Object.keys(events) as EventType[]) {
    all.set(stream(type), [...(all.get(stream(type)) ?? []), subject(type)]);
  }
  /** The streams that services publish to or read, every stream for undefined, each with its subjects. */
  const streams = (services?: readonly ServiceName[]): ReadonlyMap<string, readonly string[]> => {
    if (services === undefined) return all;
    const types = services.map(accessOf).flatMap(({ publishes, subscribes }) => [...publishes, ...subscribes]);
    const used = new Set(types.map(stream));
    return new Map([...all].filter(([name]) => used.has(name)));
  };
  return {
    subject,
    stream,
    consumer: (type: EventType, group: string): string => `${type.replaceAll('.', '_')}--${checkName(group, 'group')}`,
    streams,
  };
}

function checkName(name: string, what: string): string {
  if (plainName.test(name)) return name;
  throw new BusError('invalid_message', `The ${what} ${JSON.stringify(name)} may hold letters, digits, - and _ only.`);
}
