import type { Edge } from './edge';
import type { Route } from './route';

/** Section 4.3 of the specification, `GET /webhooks/health`: open to all, so it says no more than senders need to know. */
export function healthRoutes(edge: Edge): readonly Route[] {
  const address = (gateway: string) => `${edge.basePath}/v1/webhooks/${gateway}`;
  return [
    {
      method: 'GET',
      path: '/v1/webhooks/health',
      open: true,
      handle: async () => {
        const { ready, adapters } = await edge.ask('intake.status.v1', {});
        const body = {
          status: ready ? 'healthy' : 'unhealthy',
          timestamp: new Date(edge.now()).toISOString(),
          version: edge.version,
          endpoints: {
            wallet: address('gateway_wallet'),
            card: address('gateway_card'),
            generic: address('generic'),
          },
          adapters,
        };
        return { status: ready ? 200 : 503, body };
      },
    },
  ];
}
