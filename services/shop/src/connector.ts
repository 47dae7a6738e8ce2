import type { EventDone, RequestInput, RequestOutput } from '@order-automation/contracts';
import type { Outbox, ServiceDeps } from '@order-automation/service';
import type { Telemetry } from './telemetry';

/** What a connector is given: one follows another in the same process, and metrics and outbox stay. */
export type ConnectorDeps = ServiceDeps & { readonly outbox: Outbox; readonly telemetry: Telemetry };

/**
 * The shop platform behind the service (decisions.md section 5): what the service asks of it, in the words of its messages.
 *
 * - `apply` carries out each step once by its key, however often and from however many instances it comes, and none whose order has left the
 *   revision that it was decided on. A step that fails does not keep the others from it.
 * - A change of status, and a new order, is published as `shop.order-changed.v1`, a refund as `shop.order-refunded.v1`, until `changesDone`
 *   reports it.
 * - A refusal that the caller is meant to read is a ServiceError.
 */
export interface Connector {
  resolve(input: RequestInput<'shop.order.resolve.v1'>): Promise<RequestOutput<'shop.order.resolve.v1'>>;
  get(input: RequestInput<'shop.order.get.v1'>): Promise<RequestOutput<'shop.order.get.v1'>>;
  customerFacts(input: RequestInput<'shop.customer.facts.v1'>): Promise<RequestOutput<'shop.customer.facts.v1'>>;
  search(input: RequestInput<'shop.search.v1'>): Promise<RequestOutput<'shop.search.v1'>>;
  apply(input: RequestInput<'shop.order.apply.v2'>): Promise<RequestOutput<'shop.order.apply.v2'>>;
  /** The same without any of it: nothing is written, kept or published. */
  preview(input: RequestInput<'shop.order.preview.v1'>): Promise<RequestOutput<'shop.order.preview.v1'>>;
  list(input: RequestInput<'shop.order.list.v1'>): Promise<RequestOutput<'shop.order.list.v1'>>;
  view(input: RequestInput<'shop.order.view.v1'>): Promise<RequestOutput<'shop.order.view.v1'>>;
  save(input: RequestInput<'shop.order.save.v1'>): Promise<RequestOutput<'shop.order.save.v1'>>;
  listRefunds(input: RequestInput<'shop.refund.list.v1'>): Promise<RequestOutput<'shop.refund.list.v1'>>;
  createRefund(input: RequestInput<'shop.refund.create.v1'>): Promise<RequestOutput<'shop.refund.create.v1'>>;
  missingRecords(input: RequestInput<'shop.record.known.v1'>): Promise<RequestOutput<'shop.record.known.v1'>>;
  /** Out of what the connector keeps beside the shop's own records. */
  erasePerson(input: RequestInput<'shop.person.erase.v1'>): Promise<RequestOutput<'shop.person.erase.v1'>>;
  /** Writing, and what is written so: a shop that is edited elsewhere refuses it with 409 `svc_shop_elsewhere`. */
  listRecords(input: RequestInput<'shop.record.list.v1'>): Promise<RequestOutput<'shop.record.list.v1'>>;
  getRecord(input: RequestInput<'shop.record.get.v1'>): Promise<RequestOutput<'shop.record.get.v1'>>;
  putRecord(input: RequestInput<'shop.record.put.v1'>): Promise<RequestOutput<'shop.record.put.v1'>>;
  deleteRecord(input: RequestInput<'shop.record.delete.v1'>): Promise<RequestOutput<'shop.record.delete.v1'>>;
  import(input: RequestInput<'shop.import.v2'>): Promise<RequestOutput<'shop.import.v2'>>;
  importProgress(input: RequestInput<'shop.import.get.v1'>): Promise<RequestOutput<'shop.import.get.v1'>>;
  changesDone(done: readonly EventDone[]): Promise<void>;
  /** What the shop cannot do now, fit to show to an operator; empty when it works. Says so at once. */
  problems(): Promise<readonly string[]>;
  close(): Promise<void>;
}
