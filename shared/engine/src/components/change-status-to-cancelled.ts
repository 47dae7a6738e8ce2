import { changeStatusTo } from '../change-status';

export const changeStatusToCancelled = changeStatusTo('cancelled', {
  id: 'change_status_to_cancelled',
  edition: 'extended',
});
