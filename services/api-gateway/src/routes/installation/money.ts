import { moneyRequests } from '@order-automation/contracts';
import { route } from '../../http/route';

export const moneyRoutes = [
  route('GET /v1/money', 'List orders that do not agree with their money', {
    tag: 'Installation',
    access: { needs: 'view_shop_reports' },
    answers: { 200: moneyRequests['evaluation.money.list.v1'].output },
    handle: ({ answer }) => answer('evaluation.money.list.v1', {}),
  }),
  route('POST /v1/money/check', 'Look at all orders and their money now', {
    tag: 'Installation',
    access: { needs: 'manage_shop' },
    answers: { 200: moneyRequests['evaluation.money.check.v1'].output },
    handle: ({ answer }) => answer('evaluation.money.check.v1', {}),
  }),
] as const;
