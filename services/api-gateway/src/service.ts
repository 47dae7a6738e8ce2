import { reservedSenders } from '@order-automation/contracts';
import {
  type Opened,
  openKeyRing,
  openOutbox,
  type Service,
  type ServiceDeps,
  serviceOf,
  startPolling,
} from '@order-automation/service';
import { administrationLog } from './administration-log';
import { type Accounts, openAccounts } from './auth/accounts';
import { seedAccounts } from './auth/administrator';
import { foreignIssuer } from './auth/foreign-issuer';
import { forwardedWatch } from './auth/forwarded-watch';
import { guardedAsk } from './breakers';
import { builtSites } from './built-sites';
import { cachedFor } from './cached-for';
import { openInstallation } from './collections/installation';
import { openMissedWebhooks } from './collections/missed-webhooks';
import { openNotifications } from './collections/notifications';
import type { ApiGatewayConfig } from './config';
import { consolePage } from './console-page';
import { askOver, type Edge, namingExpiry } from './http/edge';
import { routerOf } from './http/mount';
import { bodyReader } from './http-server/body-reader';
import { type HttpServer, startHttp } from './http-server/server';
import { type Licence, readLicence, shippedLicenceKeys } from './licence';
import { mcpEndpoint } from './mcp/endpoint';
import { startNotificationWatch } from './notifications/watch';
import { servedOpenApi } from './openapi/document';
import { intakeProblem, untilIntakeReady } from './ready';
import { table } from './routes';
import { startSecurityLog } from './security-log';
import { createTelemetry, licenceMetric } from './telemetry';
import { recordMissed } from './webhooks/missed';
import { webhookReceiver } from './webhooks/receive';

export type ApiGateway = Service & {
  drain(): void;
  readonly port: number;
  /** Whether ADMIN_USER has the password that the first start gave it. */
  readonly hasFirstPassword: boolean;
};

const { version }: { readonly version: string } = require('../package.json');

/** Milliseconds between two clean-ups of what has expired. */
const cleanUpEvery = 10 * 60_000;
/** Milliseconds for which intake's state is not asked for again, and in which it has to be there: anybody may ask for it. */
const statusLife = 1_000;
const statusTimeout = 2_500;

/**
 * The HTTP edge: webhooks to intake, REST to the services (sections 4, 5 and 7 of the specification). The public port opens when a webhook
 * can be stored. Rejects when store, intake or port are not to be had.
 */
export const startApiGateway = serviceOf<ApiGatewayConfig, Omit<ApiGateway, 'close'>>(async (deps, config, opened) => {
  const { bus, log, metrics } = deps;
  const keys = await openKeyRing(config.secretKey.reveal(), deps);
  opened('keys', keys.close);
  const accounts = await openAccounts(deps, keys, foreignIssuer(config));
  await untilIntakeReady(bus, log);
  await seedAccounts(accounts, config, log);
  const parts = await openParts(deps, config, accounts, opened);
  const { edge } = parts;
  const http = await listen(deps, config, parts, opened);
  opened('clean-up', startPolling('removal of ended sessions', cleanUpEvery, accounts.cleanUp, deps).close);
  const publicUrl = config.publicUrl ?? `http://${config.host}:${http.port}${config.basePath}`;
  opened(
    'notifications',
    startNotificationWatch({ ...deps, edge, notifications: edge.notifications, publicUrl }).close,
  );
  licenceMetric(metrics, edge.licence);
  tellLicence(log, edge.licence, config.licenceKey?.reveal());
  log.info({ port: http.port, edition: edge.edition, licence: edge.licence.message }, 'the public port is open');
  const administrator = await accounts.users.findByName(config.adminUser);
  return {
    port: http.port,
    hasFirstPassword:
      administrator !== null && administrator.password_changed_at === Date.parse(administrator.created_at),
    problems: async () => {
      const problem = await intakeProblem(bus);
      return problem === undefined ? [] : [problem];
    },
    drain: http.drain,
  };
});

/** A licence that somebody gave and that counts for nothing is worth a warning. */
function tellLicence(log: ServiceDeps['log'], { active, message }: Licence, key: string | undefined): void {
  if (!active && key !== undefined && key !== 'none') log.warn({ licence: message }, message);
}

/** What answers requests, and what they are recorded with. */
async function openParts(deps: ServiceDeps, config: ApiGatewayConfig, accounts: Accounts, opened: Opened) {
  const { bus, clock, log, store } = deps;
  const { basePath, timeZone, publicUrl, licenceKey, licenceKeys } = config;
  const outbox = await openOutbox(deps);
  opened('outbox', outbox.close);
  const notifications = await openNotifications(store);
  const installation = await openInstallation(store);
  const licenceAt = await readLicence(licenceKey?.reveal(), licenceKeys ?? shippedLicenceKeys());
  const licence = () => licenceAt(clock.now());
  const missedWebhooks = await openMissedWebhooks(store);
  const asking = guardedAsk(askOver(bus), deps);
  opened('asking', async () => asking.close());
  const missed = recordMissed(missedWebhooks, deps);
  opened('missed webhooks', missed.close);
  const security = startSecurityLog(outbox, deps);
  opened('security log', security.close);
  const bodies = bodyReader({ maxBytesInFlight: config.bytesInFlight });
  const forwarded = forwardedWatch(config.trustedProxies, log);
  const edge: Edge = {
    ask: namingExpiry(asking.ask, licence),
    now: () => clock.now(),
    get edition() {
      return licence().edition;
    },
    get licence() {
      return licence();
    },
    version,
    basePath,
    publicUrl,
    intakeStatus: cachedFor(statusLife, () => asking.ask('intake.status.v1', {}, statusTimeout)),
    arrivalWarning: forwarded.warning,
    timeZone,
    accounts,
    notifications,
    installation,
    missedWebhooks,
    security,
    administration: administrationLog(outbox, clock),
    telemetry: createTelemetry({ ...deps, bytesInFlight: bodies.bytesInFlight }),
    openApi: servedOpenApi(table, { version, basePath }),
    consolePage: consolePage({ version, basePath, timeZone }),
  };
  return { edge, bodies, missed, forwarded };
}

async function listen(
  deps: ServiceDeps,
  config: ApiGatewayConfig,
  { edge, bodies, missed, forwarded }: Awaited<ReturnType<typeof openParts>>,
  opened: Opened,
): Promise<HttpServer> {
  const { basePath, trustedProxies, corsOrigins, maxConnections } = config;
  const prefix = `${basePath}/v1/webhooks/`;
  const { telemetry } = edge;
  const receiver = { ...deps, telemetry, missed, bodies, prefix, reserved: reservedSenders, trustedProxies };
  const webhooks = webhookReceiver(receiver);
  const gate = { edge, bodies, trustedProxies, corsOrigins };
  opened('webhooks', webhooks.idle);
  const http = await startHttp({
    ...deps,
    ...config,
    limits: { maxConnections },
    notFoundPage: () => edge.consolePage()?.text,
    fast: (req, res, requestId) => {
      forwarded.note(req);
      return webhooks.receive(req, res, requestId);
    },
    mount: (app) => app.use(basePath || '/', routerOf(table, gate), mcpEndpoint(table, gate, deps.log), builtSites()),
  });
  opened('public port', http.close);
  return http;
}
