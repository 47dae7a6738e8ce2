import { accessOf, type ServiceName, serviceNames } from '@order-automation/contracts';
import { namesFor } from './nats-names';

/** Subjects that one user of NATS may publish to and subscribe to. It may also answer requests it receives. */
export type NatsPermissions = { readonly publish: readonly string[]; readonly subscribe: readonly string[] };

/** Prefix of the reply addresses of this connection; no other user may subscribe to them. */
export function inboxPrefix(name: string): string {
  return `_INBOX.${name.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`;
}

/** What a service needs on NATS: its messages (contracts/access.ts), and JetStream as far as these take it. */
export function natsPermissions(service: ServiceName, streamPrefix?: string): NatsPermissions {
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
  return { publish: [...new Set(publish)], subscribe: [`${inboxPrefix(service)}.>`, ...new Set(subscribe)] };
}

/** The variable of nats-server's environment that holds the password of a service. */
export function passwordVariable(service: ServiceName): string {
  return `NATS_PASSWORD_${service.replaceAll('-', '_').toUpperCase()}`;
}

/**
 * The users of an installation, as a file that the configuration of nats-server includes: one for each service. Other clients are refused. The
 * server reads the passwords from its environment (`passwordVariable`).
 */
export function natsUsers(streamPrefix?: string): string {
  const users = serviceNames.map((service) => {
    const { publish, subscribe } = natsPermissions(service, streamPrefix);
    return [
      '    {',
      `      user: ${service}`,
      `      password: $${passwordVariable(service)}`,
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

function list(subjects: readonly string[]): string {
  return `[\n${subjects.map((subject) => `          ${JSON.stringify(subject)}`).join('\n')}\n        ]`;
}

/** `node dist/nats-permissions.js <namespace>` prints the file. */
if (require.main === module) process.stdout.write(natsUsers(process.argv[2]));
