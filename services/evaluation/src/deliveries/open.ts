import {
  createOutbound,
  defaultBreakerReset,
  type ServiceDeps,
  type SharedKeyRing,
  startPolling,
  withId,
} from '@order-automation/service';
import type { Evaluations } from '../attempts/evaluations';
import type { EvaluationConfig } from '../config';
import type { RecordEntries } from '../ports/audit';
import { openSecrets } from '../secrets';
import type { Telemetry } from '../telemetry';
import { openDeliveries } from './document';
import { type MailSettings, mailSender } from './email';
import { eraseFromDeliveries } from './erase';
import { deliveryFigures } from './figures';
import { getDelivery, listDeliveries } from './list';
import { sendMessage } from './message';
import { startDeliveryQueue } from './queue';
import { resendDelivery } from './resend';
import { cancelResend, getResend, openResendJobs, resendDeliveries, startResendJobs } from './resend-jobs';
import { maxAnswer, webhookSender } from './webhook';

const hour = 60 * 60 * 1000;
/** Milliseconds for which a key is known at least: longer than intake can repeat an event (35 days). */
const keepKeys = 40 * 24 * hour;

/** What leaves this machine: e-mails and calls, their records and queue, and the secrets that sign calls. */
export async function openOutgoing(
  deps: ServiceDeps,
  keys: SharedKeyRing,
  config: EvaluationConfig,
  record: RecordEntries,
  telemetry: Telemetry,
  evaluations: Evaluations,
) {
  const { bus, store, clock, log } = deps;
  const { outboundAllow, smtpUrl, smtpFrom, giveUpAfter, retention, holdFor = defaultBreakerReset } = config;
  const mail: MailSettings | null = smtpUrl && smtpFrom ? { url: smtpUrl.reveal(), from: smtpFrom } : null;
  const secrets = await openSecrets(store, keys, clock);
  const { subnets: allow, hosts: allowHosts } = outboundAllow;
  const calls = createOutbound({ log, allow, allowHosts, maxBytes: maxAnswer, truncate: true, breakerReset: holdFor });
  const mails = mailSender(mail);
  const deliveries = await openDeliveries(store);
  if (config.isOnlyInstance) await deliveries.abandonLeases(clock.now());
  const jobs = await openResendJobs(store);
  const send = { email: mails.send, webhook: webhookSender(calls, secrets, clock) };
  const { delivery: onResult } = telemetry;

  const queue = startDeliveryQueue({ deliveries, clock, log, record, send, onResult, giveUpAfter, holdFor });
  const resending = { deliveries, queue, record, clock, log, jobs };
  const resends = startResendJobs(resending);
  const purge = async (): Promise<void> => {
    const now = clock.now();
    await deliveries.purge(now - retention, now - keepKeys);
    await jobs.purge(now - retention);
  };
  const cleaning = startPolling('removal of old deliveries', hour, purge, { clock, log });

  const respond = async (): Promise<void> => {
    await bus.respond('evaluation.sending.check.v1', async ({ secret_refs, urls }) => {
      const { secrets: known } = await secrets.list();
      return {
        mail: mail !== null,
        missing_secrets: secret_refs.filter((name) => known.every((secret) => secret.name !== name)),
        refused_urls: urls.flatMap((url) => {
          const refusal = calls.refusal(url);
          return refusal ? [{ url, reason: refusal.message }] : [];
        }),
      };
    });
    await bus.respond('evaluation.delivery.list.v1', (input) => listDeliveries(input, deliveries));
    await bus.respond('evaluation.figures.get.v1', () => deliveryFigures(deliveries, clock.now()));
    await bus.respond('evaluation.delivery.get.v1', (input) => getDelivery(input, deliveries));
    await bus.respond('evaluation.delivery.resend.v1', (input) => resendDelivery(input, resending));
    await bus.respond('evaluation.deliveries.resend.v1', (input) => resendDeliveries(input, resending, resends.kick));
    await bus.respond('evaluation.message.send.v1', (message) => sendMessage(message, { mail, send, calls, clock }));
    await bus.respond('evaluation.resend-job.list.v1', async () => ({ jobs: (await jobs.newest()).map(withId) }));
    await bus.respond('evaluation.resend-job.get.v1', async ({ id }) => ({ job: await getResend(id, jobs) }));
    await bus.respond('evaluation.resend-job.cancel.v1', async (input) => ({
      job: await cancelResend(input, resending),
    }));
    await bus.respond('evaluation.person.erase.v1', (input) =>
      eraseFromDeliveries(input, deliveries, evaluations, store),
    );
  };
  const close = async (): Promise<void> => {
    await cleaning.close();
    await resends.close();
    await queue.close();
    mails.close();
    calls.close();
  };
  return { deliveries, mail, queue, secrets, respond, close };
}
