import type { RequestOutput } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import { endingSecrets, endingText, type Sender, warnAhead } from '../connections/secret-ends';
import type { SecretUses } from '../connections/secret-uses';
import type { Certificates } from '../connections/stored-certificates';
import type { Connection } from '../gateways/connection';
import { genericGateway } from '../gateways/generic/idempotency-keys';
import { walletGateway } from '../gateways/wallet/adapter';

export type EndParts = {
  readonly senders: () => readonly Sender[];
  readonly connections: { byName(name: string): Connection | undefined };
  readonly certificates: Pick<Certificates, 'all'>;
  readonly secretUses: Pick<SecretUses, 'lastOf'>;
  readonly clock: Clock;
};

type EndWarning = NonNullable<RequestOutput<'intake.status.v1'>['warnings']>[number];

/** Secrets and certificates that end within 14 days, in words for everybody: without names of connections and characters of secrets. */
export function endWarnings({ senders, certificates, secretUses, clock }: EndParts): EndWarning[] {
  const now = clock.now();
  const secrets = senders().flatMap((sender) => {
    const gateway = sender.endpoint.split('/')[0] ?? '';
    const name = gateway === genericGateway ? 'a connection' : gateway;
    return endingSecrets(sender, { lastUse: lastUseBy(secretUses), now }).map((ending) => ({
      about: gateway,
      ends_at: new Date(ending.end).toISOString(),
      text: endingText(ending, name, false),
    }));
  });
  return [...secrets, ...certificates.all().flatMap(({ leaf }) => endOf(Date.parse(leaf.validTo), now))];
}

function endOf(end: number, now: number): EndWarning[] {
  if (end <= now || end - now > warnAhead) return [];
  const ends_at = new Date(end).toISOString();
  return [
    { about: walletGateway, ends_at, text: `A certificate of the wallet ends on ${ends_at}: load its next one.` },
  ];
}

/** The warnings about one sender, for administrators. */
export function warningsOf(
  endpoint: string,
  { senders, secretUses, clock }: Pick<EndParts, 'senders' | 'secretUses' | 'clock'>,
): EndWarning[] {
  const about = endpoint.split('/').at(-1) ?? endpoint;
  return senders()
    .filter((sender) => sender.endpoint === endpoint)
    .flatMap((sender) => endingSecrets(sender, { lastUse: lastUseBy(secretUses), now: clock.now() }))
    .map((ending) => ({ about, ends_at: new Date(ending.end).toISOString(), text: endingText(ending, about) }));
}

const lastUseBy =
  (secretUses: EndParts['secretUses']) =>
  ({ id }: { readonly id?: string }): number | null =>
    id === undefined ? null : secretUses.lastOf(id);
