import { changeStatusTo } from '../change-status';

export const changeStatusToProcessing = changeStatusTo('processing', {
  id: 'change_status_to_processing',
  edition: 'extended',
});
