import { changeStatusTo } from '../change-status';

export const changeStatusToOnHold = changeStatusTo('on-hold', { id: 'change_status_to_on_hold', edition: 'extended' });
