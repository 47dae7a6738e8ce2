import type { Licence } from '../licence';
import type { Route } from './route';

/** decisions.md section 8: what this installation is entitled to. Answers without a licence too, to say so. */
export function licenceRoutes(licence: Licence): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/pro/v1/licence',
      access: { needs: 'manage_shop' },
      handle: async () => ({ body: licence }),
    },
  ];
}
