import { z } from 'zod';
import type { UserDocument } from '../../collections/users';
import type { Edge } from '../../http/edge';
import { route } from '../../http/route';
import { type SoftAsk, softly } from '../../overview';

const manager = { tag: 'Installation', access: { needs: 'manage_shop' } } as const;
/** Null while the service that knows does not answer. */
const done = z.boolean().nullable();

const stepsSchema = z.object({
  /** The user has changed the password that came with the installation. */
  password: done,
  /** A connection exists, or a webhook has arrived that was no test, and is not the shop's own, which is no payment. */
  sender: done,
  test: done,
  /** Besides the one of the demonstration. */
  rule: done,
  notification: done,
  /** Somebody else has an account. */
  user: done,
});

const first = { page: 1, per_page: 1 } as const;

/** What an installation needs before it works for a shop, each derived from what is there. */
export const firstStepRoutes = [
  route('GET /v1/first-steps', 'Read which first steps are done', {
    ...manager,
    answers: { 200: z.object({ dismissed: z.boolean(), steps: stepsSchema }) },
    handle: async ({ identity, ask }, edge) => {
      const { installation } = edge;
      const [dismissed, steps] = await Promise.all([
        installation.isDismissed(),
        readSteps(softly(ask), edge, identity.userId),
      ]);
      return { body: { dismissed, steps } };
    },
  }),
  route('PUT /v1/first-steps', 'Hide the list of first steps, or show it again', {
    ...manager,
    body: z.strictObject({ dismissed: z.boolean() }),
    answers: { 200: z.object({ dismissed: z.boolean() }) },
    handle: async (call, { installation, now, administration }) => {
      const { dismissed } = call.body;
      const by = call.identity.name;
      const change = () =>
        dismissed ? installation.dismiss(by, new Date(now()).toISOString()) : installation.showAgain();
      await administration.during({ call, what: `${dismissed ? 'hid' : 'showed'} the list of first steps` }, change);
      return { body: { dismissed } };
    },
  }),
  route('GET /v1/auth/first-sign-in', 'Say whether nobody has signed in yet', {
    tag: 'Accounts',
    access: 'open',
    answers: { 200: z.object({ first: z.boolean() }) },
    handle: async (_call, { accounts }) => {
      if (await accounts.sessions.any()) return { body: { first: false } };
      const { users, total } = await accounts.users.page(1, 1);
      return { body: { first: total === 1 && !users.some(hasOwnPassword) } };
    },
  }),
] as const;

const hasOwnPassword = ({ password_changed_at, created_at }: UserDocument): boolean =>
  password_changed_at > Date.parse(created_at);

async function readSteps(ask: SoftAsk, edge: Edge, userId: string): Promise<z.output<typeof stepsSchema>> {
  const tests = { include_debug: false, include_test: true, event_type: ['webhook_test' as const] };
  const [user, others, gateways, connections, tested, rules, notifications] = await Promise.all([
    edge.accounts.users.find(userId),
    edge.accounts.users.page(1, 1),
    ask('intake.gateway.list.v1', {}),
    ask('intake.connection.list.v1', {}),
    ask('audit.entry.list.v1', { view: 'flat', ...first, filters: tests }),
    ask('rules.rule.list.v1', { page: 1, per_page: 2 }),
    edge.notifications.count(),
  ]);
  const senders = gateways && connections && [...gateways.gateways, ...connections.connections];
  const payers = senders?.filter(({ name }) => name !== 'gateway_shop');
  const hasArrived = payers?.some(({ last_event_at }) => last_event_at !== null) ?? null;
  return {
    password: user === null ? null : hasOwnPassword(user),
    sender: (connections?.connections.length ?? 0) > 0 || hasArrived,
    // The log forgets in time; who has had a webhook needs no test.
    test: hasArrived === true || (tested ? tested.pagination.total > 0 : null),
    rule: rules ? rules.rules.some(({ updated_by }) => updated_by !== 'demonstration') : null,
    notification: notifications > 0,
    user: others.total > 1,
  };
}
