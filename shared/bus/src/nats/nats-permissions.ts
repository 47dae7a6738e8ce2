import { accessOf, type ServiceName, serviceNames } from '@order-automation/contracts';
import { namesFor } from './nats-names';

/** Subjects that one user of NATS may publish to and subscribe to. It may also answer requests it receives. */
export type NatsPermissions = { readonly publish: readonly string[]; readonly subscribe: readonly string[] };

/** Prefix of the reply addresses of this connection; no other user may subscribe to them. */
export const inboxPrefix = (name: string): string => `_INBOX.${name.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`;

/** What the services of a user need on NATS: their messages (contracts/access.ts), and JetStream as far as these take it. */
function natsPermissions(user: string, services: readonly ServiceName[], streamPrefix?: string): NatsPermissions {
  const each = services.map((service) => permissionsOf(service, streamPrefix));
  return {
    publish: [...new Set(each.flatMap(({ publish }) => publish))],
    subscribe: [`${inboxPrefix(user)}.>`, ...new Set(each.flatMap(({ subscribe }) => subscribe))],
  };
}

function permissionsOf(service: ServiceName, streamPrefix?: string): NatsPermissions {
  const names = namesFor(streamPrefix);
  const { publishes, subscribes, requests, answers } = accessOf(service);
  const streams = new Set([...publishes, ...subscribes].map(names.stream));
  const publish = [...publishes, ...requests].map(names.subject);
  const subscribe = [...answers, ...subscribes].map(names.subject);
  for (const type of subscribes) {
    const [stream, consumer] = [names.stream(type), names.consumer(type, service)];
    publish.push(
      `$JS.API.CONSUMER.INFO.${stream}.${consumer}`,
      `$JS.API.CONSUMER.CREATE.${stream}.${consumer}.${names.subject(type)}`,
      `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`,
      `$JS.ACK.${stream}.${consumer}.>`,
    );
  }
  for (const stream of streams) {
    for (const verb of ['INFO', 'CREATE', 'UPDATE']) publish.push(`$JS.API.STREAM.${verb}.${stream}`);
  }
  return { publish, subscribe };
}

/** The variable of nats-server's environment that holds the password of a user. */
export const passwordVariable = (user: string): string => `NATS_PASSWORD_${user.replaceAll('-', '_').toUpperCase()}`;

/**
 * The users of an installation, as a file that the configuration of nats-server includes: one for each service, and `more` for processes that have
 * several. Other clients are refused. The server reads the passwords from its environment (`passwordVariable`).
 */
export function natsUsers(streamPrefix?: string, more: Readonly<Record<string, readonly ServiceName[]>> = {}): string {
  const single = serviceNames.map((service) => [service, [service]] as const);
  const users = [...single, ...Object.entries(more)].map(([user, services]) => {
    const { publish, subscribe } = natsPermissions(user, services, streamPrefix);
    return [
      '    {',
      `      user: ${user}`,
      `      password: $${passwordVariable(user)}`,
      '      permissions: {',
      `        publish: { allow: ${list(publish)} }`,
      `        subscribe: { allow: ${list(subscribe)} }`,
      // Longer than any caller waits for an answer.
      '        allow_responses: { max: 1, expires: "5m" }',
      '      }',
      '    }',
    ].join('\n');
  });
  return `authorization {\n  users: [\n${users.join('\n')}\n  ]\n}\n`;
}

const list = (subjects: readonly string[]): string =>
  `[\n${subjects.map((subject) => `          ${JSON.stringify(subject)}`).join('\n')}\n        ]`;
