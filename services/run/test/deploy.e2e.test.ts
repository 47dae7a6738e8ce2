import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceNames } from '@order-automation/contracts';
import { createLogger } from '@order-automation/service';
import { dropNamespace, freshNamespace, lanes, waitFor } from '@order-automation/testing';
import { usersOfInstallation } from '../src/nats-users';
import { type Supervisor, startSupervisor } from '../src/supervisor/supervisor';
import type { Report } from '../src/supervisor/supervisor-child';
import { composeWith, settingsWith } from './deployment';
import { type NatsServer, startNatsServer } from './nats-server';
import { apiClient, importOrders, newSecrets, payableOrders } from './product-client';
import { payment, postSigned } from './products';

const binary = process.env.NATS_SERVER_BIN;
const { mongodb } = lanes();
const missing = [binary ? '' : 'no NATS_SERVER_BIN', 'missing' in mongodb ? mongodb.missing : ''].filter(Boolean);
const title = 'the containers of docker-compose.yml, each with its own user of NATS';

const compositions: readonly (readonly [name: string, processes: readonly string[]])[] = [
  ['workers', ['worker', 'gateway-intake', 'api-gateway']],
  ['one process a service', serviceNames],
];

const metricsOf = async (ops: number): Promise<string> => (await fetch(`http://127.0.0.1:${ops}/metrics`)).text();

(missing.length > 0 ? describe.skip : describe)(`${title} (distributed${missing.map((one) => `: ${one}`)})`, () => {
  const secrets = newSecrets();
  const settings = { ...settingsWith((name) => `of${name}`), ...secrets.env };
  const { services } = composeWith(settings);
  let namespace: string;
  let folder: string;
  let nats: NatsServer | undefined;
  let supervisor: Supervisor | undefined;

  afterEach(async () => {
    await supervisor?.stop();
    await nats?.kill();
    await dropNamespace(namespace);
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  test.each(compositions)(
    '%s: a webhook changes its order',
    async (_composition, processes) => {
      namespace = freshNamespace('e2e');
      folder = mkdtempSync(join(tmpdir(), 'order-automation-deploy-'));
      nats = await startNatsServer(binary ?? '', folder, {
        users: usersOfInstallation(namespace),
        env: services.nats?.environment ?? {},
      });
      const { host } = new URL(nats.url);
      const mongo = 'uri' in mongodb ? mongodb.uri : '';
      const reports = new Map<string, Report>();
      supervisor = startSupervisor({
        programs: processes.map((name) => {
          const program = name === 'worker' ? 'run/dist/worker.js' : `${name}/dist/main.js`;
          return { name, entry: join(__dirname, '../..', program) };
        }),
        env: ({ name }) => {
          const { NATS_URL = '', ...environment } = services[name]?.environment ?? {};
          return {
            ...environment,
            NATS_URL: NATS_URL.replace('nats:4222', host),
            MONGODB_URI: mongo,
            NAMESPACE: namespace,
            HOST: '127.0.0.1',
            PORT: '0',
            OPS_PORT: '0',
            LOG_LEVEL: 'error',
          };
        },
        log: createLogger({ name: 'test', level: 'silent' }),
        onReport: (report) => reports.set(report.service, report),
      });
      await waitFor(() => reports.size === processes.length, { timeout: 60_000, describe: 'all processes' });
      const pages = await Promise.all([...reports.values()].map(({ ops }) => metricsOf(ops)));
      const parts = pages.flatMap((page) => [...page.matchAll(/part_ready{[^}]*part="([a-z-]+)"[^}]*} 1$/gm)]);
      expect([...new Set(parts.map(([, part]) => part))].sort()).toEqual(['bus', 'store', ...serviceNames].sort());
      const families = ['audit', 'edge', 'evaluation', 'intake', 'shop'];
      expect(families.filter((one) => !pages.join('').includes(`# TYPE order_automation_${one}_`))).toEqual([]);
      const port = reports.get('api-gateway')?.port ?? 0;
      const client = apiClient(port, secrets);
      await importOrders(client, payableOrders(7001, 1));
      const complete = { id: 'change_status_to_completed', settings: { send_emails: false, update_stock: false } };
      const trigger = { id: 'order_processing', settings: {} };
      const rule = { trigger, conditions: [], primaryAction: complete, secondaryActions: [] };
      await client('POST', '/v1/rules', { name: 'Complete', enabled: true, rule });
      const answer = await postSigned({ url: `http://127.0.0.1:${port}`, secrets }, payment('deploy-1', 7001));
      expect(answer).toMatchObject({ success: true });
      await waitFor(
        async () => (await client<{ status: string }>('GET', '/v1/shop/orders/7001')).status === 'completed',
        { timeout: 30_000, describe: 'the completed order' },
      );
      await waitFor(
        async () =>
          JSON.stringify(await client('GET', `/v1/audit-log/process/${answer.process_id}`)).includes(
            'process_completed',
          ),
        { timeout: 30_000, describe: 'its log' },
      );
    },
    120_000,
  );
});
