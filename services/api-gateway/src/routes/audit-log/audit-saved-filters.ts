import { randomUUID } from 'node:crypto';
import { ServiceError } from '@order-automation/contracts';
import { z } from 'zod';
import { capabilitiesOf, type Identity } from '../../auth/identity';
import { maxSavedFilters, type SavedFilterDocument } from '../../collections/saved-filters';
import type { Edge } from '../../http/edge';
import { reply, route } from '../../http/route';
import { auditFilterBody, auditFilters, type ChosenFilters, echoOf } from './audit-filters';

const all = { tag: 'Audit log', access: { needs: 'view_shop_reports', nonce: 'always' }, maxBody: 16 * 1024 } as const;
const one = { ...all, params: z.object({ id: z.string().max(100) }) } as const;

/** What the list of orders or of events is narrowed by, as its address has it; absent of filters of the log. */
const viewSchema = z.strictObject({
  page: z.enum(['orders', 'events']),
  query: z.record(z.string().max(40), z.string().max(200)),
});
const fields = {
  name: z.string().trim().min(1).max(100),
  shared: z.boolean(),
  filter: auditFilterBody,
  view: viewSchema.optional(),
};
const savedSchema = z.object({
  id: z.string(),
  name: z.string(),
  shared: z.boolean(),
  /** User name of its owner. */
  owner: z.string(),
  mine: z.boolean(),
  filter: z.record(z.string(), z.unknown()),
  view: viewSchema.optional(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

/** Filters of the log, and views of lists, under a name. Its owner sees a filter, and everybody does when it is shared. */
export const auditSavedFilterRoutes = [
  route('GET /v1/audit-log/filters', 'List saved filters of the log', {
    ...all,
    access: { needs: 'view_shop_reports' },
    answers: { 200: z.object({ filters: z.array(savedSchema) }) },
    handle: async ({ identity }, { accounts }) => {
      const found = await accounts.savedFilters.visibleTo(identity.userId);
      return { body: { filters: found.map((saved) => listed(saved, identity)) } };
    },
  }),
  route('POST /v1/audit-log/filters', 'Save a filter of the log', {
    ...all,
    body: z.strictObject({ ...fields, shared: fields.shared.default(false) }),
    answers: { 201: savedSchema },
    errors: ['rest_forbidden', 'svc_filter_exists', 'svc_too_many_filters'],
    handle: async ({ body: { name, shared, filter, view }, identity }, edge) => {
      const { savedFilters } = edge.accounts;
      if (shared) ensureMayShare(identity);
      ensureRoom(await savedFilters.countOf(identity.userId));
      if (shared) ensureRoom(await savedFilters.countShared());
      const at = new Date(edge.now()).toISOString();
      const times = { created_at: at, updated_at: at };
      const owned = { _id: randomUUID(), user_id: identity.userId, owner: identity.name };
      const saved = { ...owned, name, shared, filter, ...(view && { view }), ...times };
      if (!(await savedFilters.add(saved))) throw nameTaken();
      return reply(201, listed(saved, identity));
    },
  }),
  route('PUT /v1/audit-log/filters/{id}', 'Change a saved filter of the log', {
    ...one,
    body: z.strictObject(fields).partial(),
    answers: { 200: savedSchema },
    errors: ['rest_forbidden', 'svc_filter_not_found', 'svc_filter_exists', 'svc_too_many_filters'],
    handle: async ({ params, body, identity }, edge) => {
      const before = await changeable(edge, params.id, identity);
      if (body.shared && !before.shared) {
        ensureMayShare(identity);
        ensureRoom(await edge.accounts.savedFilters.countShared());
      }
      const changes = { ...body, updated_at: new Date(edge.now()).toISOString() };
      const outcome = await edge.accounts.savedFilters.change(before._id, changes);
      if (outcome === 'missing') throw notFound();
      if (outcome === 'name_taken') throw nameTaken();
      return { body: listed({ ...before, ...changes }, identity) };
    },
  }),
  route('DELETE /v1/audit-log/filters/{id}', 'Delete a saved filter of the log', {
    ...one,
    answers: { 200: z.object({ success: z.boolean(), id: z.string() }) },
    errors: ['rest_forbidden', 'svc_filter_not_found'],
    handle: async ({ params, identity }, edge) => {
      const { _id } = await changeable(edge, params.id, identity);
      if (!(await edge.accounts.savedFilters.remove(_id))) throw notFound();
      return { body: { success: true, id: _id } };
    },
  }),
] as const;

/** The saved filter to begin with; parameters beside it take the place of its own. */
export const savedFilterParameter = { filter: z.string().max(100).optional() };

type Chosen = ChosenFilters & { readonly filter?: string | undefined };

/** The filters that a caller has chosen, those of a saved filter with them; 404 when there is none that the caller sees. */
export async function chosenFilters({ filter: id, ...chosen }: Chosen, identity: Identity, edge: Edge) {
  const saved = id === undefined ? undefined : await visible(edge, id, identity);
  return auditFilters(chosen, saved?.filter);
}

async function visible({ accounts }: Edge, id: string, { userId }: Identity): Promise<SavedFilterDocument> {
  const saved = await accounts.savedFilters.find(id);
  if (!saved || (saved.user_id !== userId && !saved.shared)) throw notFound();
  return saved;
}

async function changeable(edge: Edge, id: string, identity: Identity): Promise<SavedFilterDocument> {
  const saved = await visible(edge, id, identity);
  if (saved.user_id !== identity.userId) ensureMayShare(identity);
  return saved;
}

function ensureMayShare({ role }: Identity): void {
  if (capabilitiesOf(role).includes('manage_shop')) return;
  throw new ServiceError(403, 'rest_forbidden', 'Filters that all users see are made and changed with manage_shop.');
}

function ensureRoom(count: number): void {
  if (count < maxSavedFilters) return;
  const message = `There are ${maxSavedFilters} filters already. Delete those that are not used.`;
  throw new ServiceError(400, 'svc_too_many_filters', message);
}

function listed(saved: Omit<SavedFilterDocument, 'name_key'>, { userId }: Identity): z.output<typeof savedSchema> {
  const { _id, user_id, owner, name, shared, filter, view, created_at, updated_at } = saved;
  const what = { filter: echoOf(filter), ...(view && { view }) };
  return { id: _id, name, shared, owner, mine: user_id === userId, ...what, created_at, updated_at };
}

const notFound = () => new ServiceError(404, 'svc_filter_not_found', 'There is no such saved filter.');
const nameTaken = () => new ServiceError(409, 'svc_filter_exists', 'You have a filter of this name already.');
