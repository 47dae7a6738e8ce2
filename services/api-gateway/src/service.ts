import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Opened,
  type Outbox,
  openKeyRing,
  openOutbox,
  repeatedly,
  type Service,
  type ServiceDeps,
  serviceOf,
} from '@order-automation/service';
import { administrationLog } from './administration-log';
import { type Accounts, openAccounts } from './auth/accounts';
import { ensureAdministrator, provisionApplicationPassword } from './auth/administrator';
import { foreignIssuer } from './auth/foreign-issuer';
import { type ForwardedWatch, forwardedWatch } from './auth/forwarded-watch';
import { guardedAsk } from './breakers';
import { cachedFor } from './cached-for';
import { type MissedWebhooks, openMissedWebhooks } from './collections/missed-webhooks';
import { type Notifications, openNotifications } from './collections/notifications';
import type { ApiGatewayConfig } from './config';
import { consoleSite } from './console-site';
import { documentationSite } from './documentation-site';
import { askOver, type Edge, namingExpiry } from './http/edge';
import { routerOf } from './http/mount';
import { type BodyReader, bodyReader } from './http-server/body-reader';
import { type HttpServer, startHttp } from './http-server/server';
import { type Licence, type LicenceAt, readLicence, shippedLicenceKeys } from './licence';
import { startNotificationWatch } from './notifications/watch';
import { servedOpenApi } from './openapi/document';
import { intakeProblem, untilIntakeReady } from './ready';
import { table } from './routes';
import { reservedNames } from './routes/webhooks/webhooks';
import { startSecurityLog } from './security-log';
import { createTelemetry, licenceMetric } from './telemetry';
import { recordMissed } from './webhooks/missed';
import { type WebhookReceiver, webhookReceiver } from './webhooks/receive';

export type ApiGateway = Service & {
  drain(): void;
  /** The public port. */
  readonly port: number;
  /** Whether ADMIN_USER has the password that the first start gave it. */
  readonly hasFirstPassword: boolean;
};

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
  await seedAccounts(deps, config, accounts);
  const outbox = await openOutbox(deps);
  opened('outbox', outbox.close);
  const notifications = await openNotifications(deps.store);
  const { licenceKey, licenceKeys } = config;
  const licenceAt = await readLicence(licenceKey?.reveal(), licenceKeys ?? shippedLicenceKeys());
  const missedWebhooks = await openMissedWebhooks(deps.store);
  const parts = partsOf(deps, config, { accounts, notifications, licenceAt, outbox, missedWebhooks, opened });
  const { webhooks, edge } = parts;
  opened('webhooks', webhooks.idle);
  const http = await listen(deps, config, parts);
  opened('public port', http.close);
  const cleanUp = repeatedly(cleanUpEvery, () =>
    accounts.cleanUp().catch((error: unknown) => log.warn({ err: error }, 'cleaning up sessions failed')),
  );
  opened('clean-up', cleanUp.close);
  const publicUrl = config.publicUrl ?? `http://${config.host}:${http.port}${config.basePath}`;
  opened('notifications', startNotificationWatch({ ...deps, edge, notifications, publicUrl }).close);
  licenceMetric(metrics, edge.licence);
  tellLicence(log, edge.licence, licenceKey?.reveal());
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

async function seedAccounts(deps: ServiceDeps, config: ApiGatewayConfig, accounts: Accounts): Promise<void> {
  const now = new Date(deps.clock.now()).toISOString();
  const { adminUser: user } = config;
  await ensureAdministrator(accounts.users, {
    user,
    password: config.adminPassword?.reveal(),
    now,
  });
  const provisioned = await provisionApplicationPassword(accounts.applicationPasswords, accounts.users, {
    user,
    password: config.adminApplicationPassword?.reveal(),
    keys: accounts.passwordKeys,
    now,
  });
  if (!provisioned)
    deps.log.warn({ user }, 'ADMIN_APPLICATION_PASSWORD is of no use: ADMIN_USER names a user that does not exist');
}

type Parts = {
  readonly edge: Edge;
  readonly webhooks: WebhookReceiver;
  readonly bodies: BodyReader;
  readonly forwarded: ForwardedWatch;
};

type Entitled = {
  readonly accounts: Accounts;
  readonly notifications: Notifications;
  readonly licenceAt: LicenceAt;
  readonly outbox: Outbox;
  readonly missedWebhooks: MissedWebhooks;
  readonly opened: Opened;
};

function partsOf(
  deps: ServiceDeps,
  config: ApiGatewayConfig,
  { accounts, notifications, licenceAt, outbox, missedWebhooks, opened }: Entitled,
): Parts {
  const { bus, clock, log, tracing } = deps;
  const { basePath, timeZone, publicUrl, trustedProxies } = config;
  const bodies = bodyReader({ maxBytesInFlight: config.bytesInFlight });
  const telemetry = createTelemetry({ ...deps, bytesInFlight: bodies.bytesInFlight });
  const version = ownVersion();
  const licence = () => licenceAt(clock.now());
  const asking = guardedAsk(askOver(bus), deps);
  const forwarded = forwardedWatch(trustedProxies, log);
  opened('asking', async () => asking.close());
  const missed = recordMissed(missedWebhooks, deps);
  opened('missed webhooks', missed.close);
  const security = startSecurityLog(outbox, deps);
  opened('security log', security.close);
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
    missedWebhooks,
    security,
    administration: administrationLog(outbox, clock),
    telemetry,
    openApi: servedOpenApi(table, { version, basePath }),
    console: consoleSite({ version, basePath, timeZone }),
  };
  const prefix = `${basePath}/v1/webhooks/`;
  return {
    edge,
    bodies,
    forwarded,
    webhooks: webhookReceiver({
      bus,
      clock,
      log,
      telemetry,
      missed,
      bodies,
      prefix,
      reserved: reservedNames,
      trustedProxies,
      tracing,
    }),
  };
}

function listen(
  deps: ServiceDeps,
  config: ApiGatewayConfig,
  { edge, webhooks, bodies, forwarded }: Parts,
): Promise<HttpServer> {
  const { host, port, basePath, trustedProxies, maxConnections, corsOrigins } = config;
  return startHttp({
    host,
    port,
    log: deps.log,
    metrics: deps.metrics,
    clock: deps.clock,
    limits: { maxConnections },
    corsOrigins,
    notFoundPage: () => edge.console.page()?.text,
    fast: (req, res, requestId) => {
      forwarded.note(req);
      return webhooks.receive(req, res, requestId);
    },
    mount: (app) => app.use(basePath || '/', routerOf(table, { edge, bodies, trustedProxies }), documentationSite()),
  });
}

function ownVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(__dirname, '..', 'package.json'), 'utf8'));
  return String((manifest as { version?: unknown }).version);
}
