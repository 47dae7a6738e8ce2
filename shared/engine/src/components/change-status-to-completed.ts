import { changeStatusTo } from '../change-status';

export const changeStatusToCompleted = changeStatusTo('completed', {
  id: 'change_status_to_completed',
  edition: 'default',
  isDefault: true,
});
