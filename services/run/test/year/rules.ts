import { addNote, changeStatus, type OrderWorld } from '../order-world';

/** The rules that the model knows. */
export async function createRules(world: Pick<OrderWorld, 'createRule'>): Promise<void> {
  const named = (event_type: string) => ({
    id: 'webhook_event',
    settings: { event_types: [event_type], gateways: [] },
  });
  const entered = (status: string) => ({ id: 'any_status_change', settings: { to: [status] } });
  const plain = (id: string) => ({ id, settings: {} });
  const rules = [
    ['PAID', plain('order_processing'), changeStatus('completed')],
    ['DISPUTE', plain('dispute_opened'), changeStatus('on-hold')],
    ['REFUND', plain('refund_created'), null],
    ['RENEWAL', plain('subscription_renewal'), null],
    ['CANCELLED', plain('subscription_cancelled'), null],
    ['FAILED', plain('payment_failed'), null],
    ['WON', named('dispute_won'), null],
    ['LOST', named('dispute_lost'), null],
    ['RESOLVED', named('dispute_resolved'), null],
    ['NAMED', named('invoice.paid'), null],
    ['CREATED', plain('order_created'), null],
    ['NOWPENDING', entered('pending'), null],
    ['NOWONHOLD', entered('on-hold'), null],
    ['NOWFAILED', entered('failed'), null],
    ['NOWPROCESSING', entered('processing'), null],
    ['NOWCOMPLETED', entered('completed'), null],
    ['NOWCANCELLED', entered('cancelled'), null],
  ] as const;
  for (const [note, trigger, primaryAction] of rules)
    await world.createRule(note, { trigger, conditions: [], primaryAction, secondaryActions: [addNote(note)] });
}
