import { context, facts } from '../../test/fixtures';
import {
  changeStatusToCancelled,
  changeStatusToCompleted,
  changeStatusToOnHold,
  changeStatusToProcessing,
} from './change-status';

const on = (status: string) => ({ ...facts({ context: context({ status }) }), rule: { id: 3, name: 'Big orders' } });

describe.each([
  ['completed', 'change_status_to_completed', 'default', changeStatusToCompleted],
  ['processing', 'change_status_to_processing', 'extended', changeStatusToProcessing],
  ['on-hold', 'change_status_to_on_hold', 'extended', changeStatusToOnHold],
  ['cancelled', 'change_status_to_cancelled', 'extended', changeStatusToCancelled],
] as const)('%s', (status, id, edition, action) => {
  test('sets the status, with e-mails and stock unless told otherwise', () => {
    expect(action).toMatchObject({
      kind: 'primary',
      id,
      edition,
      changesOrder: true,
      isDefault: status === 'completed',
    });
    expect(action.compile({})(on('pending'))).toEqual({
      effect: { kind: 'order', command: { kind: 'set_status', status, send_emails: true, update_stock: true } },
      describe: {
        message: `change status from pending to ${status}`,
        changes: [{ field: 'status', from: 'pending', to: status }],
      },
    });
    const quiet = action.compile({ send_emails: false, update_stock: false })(on('pending'));
    expect(quiet.effect).toMatchObject({ command: { send_emails: false, update_stock: false } });
  });

  test('an order that is in it already would not change', () => {
    expect(action.compile({})(on(status)).describe).toEqual({ message: `the order is ${status} already`, changes: [] });
  });
});
