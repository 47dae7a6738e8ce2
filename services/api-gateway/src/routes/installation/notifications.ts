import { randomUUID } from 'node:crypto';
import { invalidParameters, ServiceError, secretNameSchema } from '@order-automation/contracts';
import { z } from 'zod';
import { maxNotifications, type NotificationDocument, notificationKinds } from '../../collections/notifications';
import type { Edge } from '../../http/edge';
import { reply, route } from '../../http/route';
import { causes } from '../../notifications/problems';
import { send } from '../../notifications/watch';

const all = { tag: 'Installation', access: { needs: 'manage_shop' } } as const;
const one = {
  ...all,
  params: z.object({ id: z.string().max(100) }),
  errors: ['svc_notification_not_found'],
  example: { params: { id: '0d9e3a1c-5b7f-4c61-9a0e-2f4b8c6d7e10' } },
} as const;
const maxQuiet = 7 * 24 * 60;

const fields = {
  name: z.string().trim().min(1).max(100),
  kind: z.enum(notificationKinds),
  to: z.string().trim().min(1).max(2_000),
  causes: z
    .array(z.enum(causes))
    .max(causes.length)
    .transform((list) => [...new Set(list)]),
  quiet_minutes: z.int().min(1).max(maxQuiet),
  secret_ref: secretNameSchema.nullable(),
  enabled: z.boolean(),
};

const shownSchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(notificationKinds),
  to: z.string(),
  causes: z.array(z.enum(causes)),
  quiet_minutes: z.int(),
  secret_ref: z.string().nullable(),
  enabled: z.boolean(),
  /** The causes that have a problem now, and since when it was said. */
  open: z.array(z.object({ cause: z.enum(causes), since: z.iso.datetime() })),
  last_sent_at: z.string().nullable(),
  last_error: z.string().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

/** decisions.md section 11: who is notified when something needs a person, without Prometheus. */
export const notificationRoutes = [
  route('GET /v1/notifications', 'List notifications', {
    ...all,
    answers: { 200: z.object({ notifications: z.array(shownSchema) }) },
    handle: async (_call, { notifications }) => ({ body: { notifications: (await notifications.all()).map(shown) } }),
  }),
  route('POST /v1/notifications', 'Make a notification', {
    ...all,
    body: z.strictObject({
      ...fields,
      causes: fields.causes.default([...causes]),
      quiet_minutes: fields.quiet_minutes.default(60),
      secret_ref: fields.secret_ref.default(null),
      enabled: fields.enabled.default(true),
    }),
    answers: { 201: shownSchema },
    errors: ['svc_too_many_notifications'],
    handle: async (call, edge) => {
      const { body } = call;
      await checkTarget(body, edge);
      if ((await edge.notifications.count()) >= maxNotifications)
        throw new ServiceError(400, 'svc_too_many_notifications', tooMany);
      const at = new Date(edge.now()).toISOString();
      const state = { open: {}, last_sent_at: null, last_error: null };
      const made: NotificationDocument = { _id: randomUUID(), ...body, ...state, created_at: at, updated_at: at };
      const what = `made the notification "${made.name}" (${made.kind})`;
      await edge.administration.during({ call, what }, () => edge.notifications.add(made));
      return reply(201, shown(made));
    },
  }),
  route('PUT /v1/notifications/{id}', 'Change a notification', {
    ...one,
    body: z.strictObject(fields).partial(),
    answers: { 200: shownSchema },
    handle: async (call, edge) => {
      const known = await existing(edge, call.params.id);
      const { body } = call;
      const isOther = [body.to, body.kind, body.causes].some((one) => one !== undefined);
      const isChecked = isOther || body.enabled === true || body.secret_ref !== undefined;
      if (isChecked) await checkTarget({ ...known, ...body }, edge);
      const updated_at = new Date(edge.now()).toISOString();
      const changes = { ...body, ...(isOther && { open: {} }), updated_at };
      const change = () => edge.notifications.change(known._id, changes);
      await edge.administration.during({ call, what: `changed the notification "${known.name}"` }, orNotFound(change));
      return { body: shown({ ...known, ...changes }) };
    },
  }),
  route('DELETE /v1/notifications/{id}', 'Delete a notification', {
    ...one,
    answers: { 200: z.object({ deleted: z.literal(true) }) },
    handle: async (call, edge) => {
      const known = await existing(edge, call.params.id);
      const remove = () => edge.notifications.remove(known._id);
      await edge.administration.during({ call, what: `deleted the notification "${known.name}"` }, orNotFound(remove));
      return { body: { deleted: true as const } };
    },
  }),
  route('POST /v1/notifications/{id}/test', 'Send a test message', {
    ...one,
    answers: { 200: z.object({ sent: z.boolean(), reason: z.string().nullable() }) },
    timeout: 20_000,
    handle: async ({ params }, edge) => {
      const known = await existing(edge, params.id);
      const words = { subject: 'Test of a notification', body: `This is a test of the notification "${known.name}".` };
      const reason = await send(known, `test:${edge.now()}`, words, edge);
      return { body: { sent: reason === null, reason } };
    },
  }),
] as const;

type Target = Pick<NotificationDocument, 'kind' | 'to' | 'secret_ref' | 'causes'>;

/** Refuses what would never say anything or is no address, and what could not be sent to it. When nobody answers whether it could, it is accepted. */
async function checkTarget({ kind, to, secret_ref, causes }: Target, { ask }: Pick<Edge, 'ask'>): Promise<void> {
  if (kind !== 'heartbeat' && causes.length === 0)
    throw invalidParameters([{ path: 'causes', message: 'must have one at least: it would never say anything' }]);
  const isMail = kind === 'email';
  const isRight = isMail ? z.email().safeParse(to).success : z.url({ protocol: /^https?$/ }).safeParse(to).success;
  const message = isMail ? 'must be an e-mail address' : 'must be an http or https address';
  if (!isRight) throw invalidParameters([{ path: 'to', message }]);
  const asked = { urls: isMail ? [] : [to], secret_refs: secret_ref === null ? [] : [secret_ref] };
  const found = await ask('evaluation.sending.check.v1', asked, 1_000).catch(() => undefined);
  if (!found) return;
  const noServer =
    'no e-mail can be sent, because there is no mail server: set SMTP_URL and SMTP_FROM where the service is installed';
  const problems = [
    ...(isMail && !found.mail ? [{ path: 'kind', message: noServer }] : []),
    ...found.refused_urls.map(({ reason }) => ({ path: 'to', message: reason })),
    ...found.missing_secrets.map((name) => ({ path: 'secret_ref', message: `there is no secret "${name}"` })),
  ];
  if (problems.length > 0) throw invalidParameters(problems);
}

async function existing({ notifications }: Edge, id: string): Promise<NotificationDocument> {
  const known = await notifications.find(id);
  if (!known) throw notFound();
  return known;
}

/** Rejects with 404 where the write met no document. */
const orNotFound = (write: () => Promise<boolean>) => async (): Promise<void> => {
  if (!(await write())) throw notFound();
};

const notFound = () => new ServiceError(404, 'svc_notification_not_found', 'There is no notification with this id.');
const tooMany = `There are ${maxNotifications} notifications already. Delete those that nobody reads.`;

function shown({ _id: id, open, ...rest }: NotificationDocument): z.output<typeof shownSchema> {
  const since = causes.flatMap((cause) => {
    const { [cause]: known } = open;
    return known ? [{ cause, since: new Date(known.since).toISOString() }] : [];
  });
  return { id, ...rest, causes: [...rest.causes], open: since };
}
