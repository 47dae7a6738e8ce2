import type { EventDone, RequestInput, RequestOutput } from '@order-automation/contracts';
import type { Outbox, ServiceDeps } from '@order-automation/service';
import type { Telemetry } from './telemetry';

/** What a connector is given: one follows another in the same process, and metrics and outbox stay. */
export type ConnectorDeps = ServiceDeps & { readonly outbox: Outbox; readonly telemetry: Telemetry };

/** What others ask of a shop, by the names that the answers have in a connector. */
export const connectorRequests = {
  resolve: 'shop.order.resolve.v1',
  get: 'shop.order.get.v1',
  customerFacts: 'shop.customer.facts.v1',
  search: 'shop.search.v1',
  apply: 'shop.order.apply.v2',
  /** The same without any of it: nothing is written, kept or published. */
  preview: 'shop.order.preview.v1',
  list: 'shop.order.list.v1',
  view: 'shop.order.view.v1',
  save: 'shop.order.save.v1',
  listRefunds: 'shop.refund.list.v1',
  createRefund: 'shop.refund.create.v1',
  missingRecords: 'shop.record.known.v1',
  /** Out of what the connector keeps beside the shop's own records. */
  erasePerson: 'shop.person.erase.v1',
  /** Writing, and what is written so: a shop that is edited elsewhere refuses it with 409 `svc_shop_elsewhere`. */
  listRecords: 'shop.record.list.v1',
  getRecord: 'shop.record.get.v1',
  putRecord: 'shop.record.put.v1',
  deleteRecord: 'shop.record.delete.v1',
  import: 'shop.import.v2',
  importProgress: 'shop.import.get.v1',
} as const;

type Requests = typeof connectorRequests;
type Answers = {
  [Name in keyof Requests]: (input: RequestInput<Requests[Name]>) => Promise<RequestOutput<Requests[Name]>>;
};

/**
 * The shop platform behind the service (decisions.md section 5): what the service asks of it, in the words of its messages.
 *
 * - `apply` carries out each step once by its key, however often and from however many instances it comes, and none whose order has left the revision that
 *   it was decided on. A step that fails does not keep the others from it.
 * - A change of status, and a new order, is published as `shop.order-changed.v1`, a refund as `shop.order-refunded.v1`, until `changesDone` reports it.
 * - A refusal that the caller is meant to read is a ServiceError.
 */
export interface Connector extends Answers {
  changesDone(done: readonly EventDone[]): Promise<void>;
  /** What the shop cannot do now, fit to show to an operator; empty when it works. Says so at once. */
  problems(): Promise<readonly string[]>;
  close(): Promise<void>;
}
