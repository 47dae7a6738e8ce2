import {
  type DeliveryRecord,
  deliveryFilterSchema,
  deliveryRequests,
  type RequestOutput,
  resendJobSchema,
} from '@order-automation/contracts';
import { forLog } from '@order-automation/service';
import { z } from 'zod';
import { capabilitiesOf, type Identity } from '../../auth/identity';
import { idText, paging, period } from '../../http/parameters';
import { route, seconds } from '../../http/route';

const reader = { tag: 'Deliveries', access: { needs: 'view_shop_reports' } } as const;
const owner = { tag: 'Deliveries', access: { needs: 'manage_shop' } } as const;
const one = { params: z.object({ id: z.string().max(100) }) } as const;
const oneDelivery = { ...one, example: { params: { id: 'dlv_01KF0A2B3C4D5E6F7G8H9J0KMP' } } } as const;
const oneResend = { ...one, example: { params: { id: 'rsd_01KF0A2B3C4D5E6F7G8H9J0KMP' } } } as const;

const filterParameters = {
  ...deliveryFilterSchema.pick({ state: true, kind: true, process_id: true }).shape,
  rule_id: idText.optional(),
  order_id: idText.optional(),
  ...period,
};

/** Outbound calls and e-mails (decisions.md section 11). */
export const deliveryRoutes = [
  route('GET /v1/deliveries', 'List outbound calls and e-mails', {
    ...reader,
    query: z.object({ ...filterParameters, ...paging }),
    answers: { 200: deliveryRequests['evaluation.delivery.list.v1'].output.omit({ reasons: true }) },
    handle: async ({ query: { page, per_page, ...filter }, identity, ask }) => {
      const { deliveries, pagination } = await ask('evaluation.delivery.list.v1', { filter, page, per_page });
      return { body: { deliveries: deliveries.map((one) => shownTo(identity, one)), pagination } };
    },
  }),
  route('POST /v1/deliveries/resend', 'Send again what passes a filter', {
    ...owner,
    body: z.strictObject({ filter: z.strictObject(deliveryFilterSchema.shape), preview: z.boolean().default(true) }),
    answers: { 200: deliveryRequests['evaluation.deliveries.resend.v1'].output },
    timeout: seconds(30),
    handle: ({ body, identity, answer }) => answer('evaluation.deliveries.resend.v1', { ...body, by: identity.name }),
  }),
  route('GET /v1/deliveries/resends', 'List resends of many deliveries', {
    ...reader,
    answers: { 200: deliveryRequests['evaluation.resend-job.list.v1'].output },
    handle: ({ answer }) => answer('evaluation.resend-job.list.v1', {}),
  }),
  route('GET /v1/deliveries/resends/{id}', 'Read how far a resend has come', {
    ...reader,
    ...oneResend,
    answers: { 200: resendJobSchema },
    errors: ['svc_resend_not_found'],
    handle: async ({ params, ask }) => ({ body: (await ask('evaluation.resend-job.get.v1', params)).job }),
  }),
  route('DELETE /v1/deliveries/resends/{id}', 'Cancel a resend', {
    ...owner,
    ...oneResend,
    answers: { 200: resendJobSchema },
    errors: ['svc_resend_not_found'],
    handle: async ({ params, identity, ask }) => ({
      body: (await ask('evaluation.resend-job.cancel.v1', { ...params, by: identity.name })).job,
    }),
  }),
  route('GET /v1/deliveries/{id}', 'Read a delivery with each attempt', {
    ...reader,
    ...oneDelivery,
    answers: { 200: deliveryRequests['evaluation.delivery.get.v1'].output.shape.delivery },
    errors: ['svc_delivery_not_found'],
    handle: async ({ params, identity, ask }) => ({
      body: shownTo(identity, (await ask('evaluation.delivery.get.v1', params)).delivery),
    }),
  }),
  route('POST /v1/deliveries/{id}/resend', 'Send one delivery again', {
    ...owner,
    ...oneDelivery,
    answers: { 200: deliveryRequests['evaluation.delivery.resend.v1'].output.shape.delivery },
    errors: ['svc_delivery_not_found', 'svc_delivery_erased'],
    handle: async ({ params, identity, ask }) => ({
      body: (await ask('evaluation.delivery.resend.v1', { ...params, by: identity.name })).delivery,
    }),
  }),
] as const;

type Shown = DeliveryRecord & Partial<Pick<RequestOutput<'evaluation.delivery.get.v1'>['delivery'], 'attempts'>>;

/** A user without access to orders sees neither what was sent and answered, which holds one, nor addresses of people. */
function shownTo<D extends Shown>({ role }: Identity, delivery: D): D {
  if (capabilitiesOf(role).includes('manage_shop')) return delivery;
  // Placeholders of the order stand behind the host.
  const target = forLog(delivery.target.replace(/^(https?:\/\/[^/]+).*/s, '$1/'));
  const texts = { target, reason: delivery.reason && forLog(delivery.reason) };
  const attempts = delivery.attempts?.map((one) => ({ ...one, error: one.error && forLog(one.error), answer: null }));
  return { ...delivery, ...texts, ...(attempts && { request: null, attempts }) };
}
