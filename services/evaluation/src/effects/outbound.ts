import { createOutbound, type ServiceDeps, sealer } from '@order-automation/service';
import type { EvaluationConfig } from '../config';
import type { RecordEntries } from '../ports/audit';
import { openSecrets } from '../secrets';
import type { Telemetry } from '../telemetry';
import { type MailSettings, mailDelivery } from './email';
import { openEffectQueue } from './queue';
import { webhookDelivery } from './webhook';

/** What leaves this machine: e-mails and calls, the queue they wait in, and the secrets that sign calls. */
export async function openOutbound(
  { store, clock, log }: ServiceDeps,
  { secretKey, outboundAllow, smtpUrl, smtpFrom, effectPatience }: EvaluationConfig,
  record: RecordEntries,
  telemetry: Telemetry,
) {
  const mail: MailSettings | null = smtpUrl && smtpFrom ? { url: smtpUrl.reveal(), from: smtpFrom } : null;
  const secrets = await openSecrets(store, sealer(secretKey.reveal()), clock);
  const calls = createOutbound({ log, allow: outboundAllow.subnets, allowHosts: outboundAllow.hosts });
  const mails = mailDelivery(mail);
  const queue = await openEffectQueue({
    store,
    clock,
    log,
    record,
    deliver: { email: mails.deliver, webhook: webhookDelivery(calls, secrets, clock) },
    onResult: telemetry.delivery,
    patience: effectPatience,
  });
  const close = async (): Promise<void> => {
    await queue.close();
    mails.close();
    calls.close();
  };
  return { mail, queue, secrets, close };
}
