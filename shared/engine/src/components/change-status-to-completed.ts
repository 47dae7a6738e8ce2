import type { Action, Step } from '../component';

export type ChangeStatusSettings = { send_emails?: boolean; update_stock?: boolean };

const target = 'completed';

function step(from: string, { send_emails = true, update_stock = true }: ChangeStatusSettings): Step {
  const command = { kind: 'set_status', status: target, send_emails, update_stock } as const;
  if (from === target) return { command, describe: { message: `the order is ${target} already`, changes: [] } };
  return {
    command,
    describe: { message: `change status from ${from} to ${target}`, changes: [{ field: 'status', from, to: target }] },
  };
}

/** Completes the order. Without settings it does what the shop does by itself: e-mails are sent and stock is updated. */
export const changeStatusToCompleted: Action<ChangeStatusSettings> = {
  kind: 'primary',
  id: 'change_status_to_completed',
  label: 'Change status to completed',
  description: 'Sets the status of the order to completed.',
  edition: 'default',
  isDefault: true,
  changesOrder: true,
  schema: {
    type: 'object',
    title: 'Change status to completed',
    properties: {
      send_emails: {
        type: 'boolean',
        title: 'Send e-mails',
        description: 'Let the shop send its e-mails about the new status.',
        default: true,
      },
      update_stock: {
        type: 'boolean',
        title: 'Update stock',
        description: 'Let the shop update its stock for the new status.',
        default: true,
      },
    },
    required: [],
    additionalProperties: false,
  },
  compile: (settings) => {
    return ({ context }) => step(context.order.status, settings);
  },
};
