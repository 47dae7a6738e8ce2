import { type Action, type PlannedEffect, primaryAction } from '../component';
import { statusName } from '../order-status';
import { flag, settingsOf } from '../settings-schema';

type ChangeStatusSettings = { send_emails?: boolean; update_stock?: boolean };

const schema = settingsOf({
  send_emails: flag('Send e-mails', 'Let the shop send its e-mails about the new status.', true),
  update_stock: flag('Update stock', 'Let the shop update its stock for the new status.', true),
});

function planned(
  from: string,
  status: string,
  { send_emails = true, update_stock = true }: ChangeStatusSettings,
): PlannedEffect {
  const effect = { kind: 'order', command: { kind: 'set_status', status, send_emails, update_stock } } as const;
  if (from === status) return { effect, describe: { message: `the order is ${status} already`, changes: [] } };
  const message = `change status from ${from} to ${status}`;
  return { effect, describe: { message, changes: [{ field: 'status', from, to: status }] } };
}

/**
 * `change_status_to_completed`, `_processing`, `_on_hold`, `_cancelled`: an action that sets the order's status. Without settings it does what the shop
 * does by itself: e-mails are sent and stock is updated.
 */
function changeStatusTo(status: string, isDefault = false): Action<ChangeStatusSettings> {
  return primaryAction<ChangeStatusSettings>({
    id: `change_status_to_${status.replace('-', '_')}`,
    label: `Change status to ${statusName(status)}`,
    description: `Sets the status of the order to ${statusName(status)}.`,
    edition: isDefault ? 'default' : 'extended',
    isDefault,
    schema,
    compile:
      (settings) =>
      ({ context }) =>
        planned(context.order.status, status, settings),
  });
}

export const changeStatusToCompleted = changeStatusTo('completed', true);
export const changeStatusToProcessing = changeStatusTo('processing');
export const changeStatusToOnHold = changeStatusTo('on-hold');
export const changeStatusToCancelled = changeStatusTo('cancelled');
